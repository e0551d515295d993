/** `forerun uninstall`: removes our entries, rules, skills and caches; the program itself is removed with npm. */
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import type { Log } from '../../base/log.ts';
import { packageRoot } from '../../host/package-root.ts';
import { shippedSkills } from '../../host/shipped-skills.ts';
import { referenceCacheDirectory, userSettings } from '../../host/user-settings.ts';
import { stateDirectory } from '../../storage/user-directories.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { placesOf } from './places.ts';
import { isAccessible } from './setup-files.ts';
import { planWholeRemoval } from './setup-plan.ts';

export interface UninstallOptions {
  readonly effect: 'write' | 'show';
  readonly log: Log;
}

export async function uninstallCommand(
  { signal }: ProcessLifetime,
  options: UninstallOptions,
): Promise<ExitCode> {
  const places = placesOf(process.env, process.cwd());
  const { files, planned } = await planWholeRemoval(places);
  const { ours, foreign } = await installedSkills(options.log);
  const caches = [
    ...[referenceCacheDirectory(userSettings(process.env, options.log), process.env)].filter(
      (directory) => directory !== undefined,
    ),
    join(places.project, '.forerun', 'cache.db.gz'),
  ];
  const owned = [...ours, ...(await present(caches))];
  const changed = planned.filter(({ effect }) => effect === 'changed').map(({ file }) => file);
  if (options.effect === 'show') process.stdout.write(await files.diff(places.project));
  else {
    await files.commit(stateDirectory(process.env), signal);
    // These belong to us entirely: links and copies we made, and our caches.
    for (const path of owned) await rm(path, { recursive: true, force: true });
  }
  const verb = options.effect === 'show' ? 'would remove from' : 'removed from';
  for (const file of changed) process.stdout.write(`${verb} ${file}\n`);
  for (const path of owned) process.stdout.write(`${verb.replace(' from', '')} ${path}\n`);
  for (const path of foreign) process.stdout.write(`skipped ${path} (changed since it was installed)\n`);
  const skipped = planned.length - changed.length + foreign.length;
  const tail = options.effect === 'show' ? 'Nothing was changed.' : 'Now: npm uninstall -g forerun';
  process.stdout.write(`${changed.length + owned.length} removed, ${skipped} skipped. ${tail}\n`);
  return exitCodes.good;
}

/** Skills in the user's folder: links into this package and unchanged copies are ours, anything else is not. */
async function installedSkills(log: Log): Promise<{ readonly ours: string[]; readonly foreign: string[] }> {
  const folder = join(homedir(), '.claude', 'skills');
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const shipped = new Map((await shippedSkills(log)).map(({ name, directory }) => [name, directory]));
  const ours: string[] = [];
  const foreign: string[] = [];
  for (const entry of entries) {
    const source = shipped.get(entry.name);
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() && (await leadsIntoPackage(folder, path))) ours.push(path);
    else if (source === undefined) continue;
    else if (await isSameSkill(path, source)) ours.push(path);
    else foreign.push(path);
  }
  return { ours, foreign };
}

async function leadsIntoPackage(folder: string, link: string): Promise<boolean> {
  return resolve(folder, await readlink(link)).startsWith(join(packageRoot(), 'skills') + sep);
}

async function isSameSkill(path: string, source: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all(
    [path, source].map((directory) => readText(join(directory, 'SKILL.md'))),
  );
  return theirs !== undefined && theirs === ours;
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

async function present(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(isAccessible));
  return paths.filter((_, index) => found[index]);
}
