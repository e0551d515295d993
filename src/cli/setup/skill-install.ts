/**
 * Installs the shipped skills in an agent's folder.
 *
 * Invariant: entries of others are replaced only on request; planning writes nothing.
 */
import { cp, lstat, mkdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LoadedSkill } from '../../skills/skill-library.ts';

/** Links follow updates of the package; copies do not. */
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
  /** `present`: already installed in the wanted form. `skip`: another entry has the name. */
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
    // Windows allows unprivileged directory links only as junctions; other systems ignore the type.
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
  // A dangling link is replaced.
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
