/**
 * Puts the shipped skills where an agent looks for them.
 *
 * Invariant: what somebody else put there is replaced only when asked for; planning touches nothing.
 */
import { cp, lstat, mkdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LoadedSkill } from '../../skills/skill-library.ts';

/** Links follow the package as it is updated; copies stay as they are. */
export type InstallForm = 'link' | 'copy';

export interface InstallRequest {
  readonly skills: readonly LoadedSkill[];
  readonly folder: string;
  readonly form: InstallForm;
  readonly onForeign: 'skip' | 'replace';
}

export interface Placement {
  readonly skill: LoadedSkill;
  readonly path: string;
  readonly form: InstallForm;
  /** `present`: it is there already, in the wanted form. `skip`: something else is. */
  readonly action: 'create' | 'replace' | 'present' | 'skip';
}

export function planInstall(request: InstallRequest): Promise<readonly Placement[]> {
  const { folder, form } = request;
  return Promise.all(
    request.skills.map(async (skill) => {
      const path = join(folder, skill.name);
      return { skill, path, form, action: await actionFor(path, skill, request) };
    }),
  );
}

export async function install(placements: readonly Placement[]): Promise<void> {
  for (const { skill, path, form, action } of placements) {
    if (action === 'present' || action === 'skip') continue;
    if (action === 'replace') await rm(path, { recursive: true, force: true });
    await mkdir(dirname(path), { recursive: true });
    if (form === 'copy') await cp(skill.directory, path, { recursive: true });
    // Windows links directories without special rights only as junctions; other systems ignore the word.
    else await symlink(skill.directory, path, 'junction');
  }
}

async function actionFor(
  path: string,
  { directory }: LoadedSkill,
  { form, onForeign }: InstallRequest,
): Promise<Placement['action']> {
  const there = await lstat(path).catch(() => undefined);
  if (!there) return 'create';
  const target = await realpath(path).catch(() => undefined);
  // A link that leads nowhere serves nobody.
  if (target === undefined) return 'replace';
  const isLink = target === (await realpath(directory));
  if (isLink) return form === 'link' ? 'present' : 'replace';
  if (await holdSameText(path, directory)) return form === 'copy' ? 'present' : 'replace';
  return onForeign;
}

async function holdSameText(path: string, directory: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all(
    [path, directory].map((folder) => readFile(join(folder, 'SKILL.md'), 'utf8').catch(() => undefined)),
  );
  return theirs !== undefined && theirs === ours;
}
