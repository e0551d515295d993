/** Every tool a connection is served, with those that come from the shipped skills. */
import { fileURLToPath } from 'node:url';
import { silentLog } from '../../src/base/log.ts';
import { enforcementOf } from '../../src/skills/enforcement.ts';
import { readSkills } from '../../src/skills/skill-library.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import type { Tool } from '../../src/tools/tool.ts';

export async function servedTools(): Promise<readonly Tool[]> {
  const skills = await readSkills(fileURLToPath(new URL('../../skills', import.meta.url)), silentLog);
  return [...catalogue, ...enforcementOf(skills, silentLog).tools];
}
