/** The skills shipped with this package. */
import { join } from 'node:path';
import type { Log } from '../base/log.ts';
import { type LoadedSkill, readSkills } from '../skills/skill-library.ts';
import { packageRoot } from './package-root.ts';

export function shippedSkills(log: Log): Promise<readonly LoadedSkill[]> {
  return readSkills(join(packageRoot(), 'skills'), log);
}
