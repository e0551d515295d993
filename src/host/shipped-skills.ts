/** The skills that come with this package. */
import { join } from 'node:path';
import type { Log } from '../base/log.ts';
import { readSkills, type ShelvedSkill } from '../skills/skill-library.ts';
import { packageRoot } from './package-root.ts';

export function shippedSkills(log: Log): Promise<readonly ShelvedSkill[]> {
  return readSkills(join(packageRoot(), 'skills'), log);
}
