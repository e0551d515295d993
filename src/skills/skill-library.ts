/**
 * The skills of a directory: one folder each, with a SKILL.md in it.
 *
 * Invariant: ordered by name; an invalid file is logged and does not affect the others.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { asFailure } from '../tools/failure.ts';
import { parseSkill, type Skill } from './skill.ts';

export interface LoadedSkill extends Skill {
  /** The folder of the skill. */
  readonly directory: string;
}

export async function readSkills(directory: string, log: Log): Promise<readonly LoadedSkill[]> {
  const skills = await Promise.all((await foldersOf(directory, log)).map((folder) => readSkill(folder, log)));
  return skills.filter((skill) => skill !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function foldersOf(directory: string, log: Log): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(directory, entry.name));
  } catch (thrown) {
    log.warning('skills.unreadable', { code: 'skills/unreadable', directory, error: messageOf(thrown) });
    return [];
  }
}

async function readSkill(directory: string, log: Log): Promise<LoadedSkill | undefined> {
  try {
    const skill = parseSkill(await readFile(join(directory, 'SKILL.md'), 'utf8'));
    return skill && { ...skill, directory };
  } catch (thrown) {
    const { code, message } = asFailure(thrown);
    log.warning('skills.unreadable', { code, directory, error: message });
    return undefined;
  }
}
