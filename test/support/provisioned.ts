/** What `scripts/provision` installs, and where. */
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Programs, by the names they are run with. */
export const provisionedPrograms: string =
  process.env.FORERUN_TEST_BIN ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'forerun-test', 'bin');

/** The language model and its engine. */
export const provisionedModel: string = join(provisionedPrograms.replace(/\/bin$/, ''), 'model');

/** Coding agents, each in a directory of its own. */
export const provisionedAgents: string = join(provisionedPrograms.replace(/\/bin$/, ''), 'agents');

/** The versions that documented answers of servers were written with, and how each is asked for its own. */
const pinned: Readonly<Record<string, { readonly asked: string; readonly version: RegExp }>> = {
  clangd: { asked: '--version', version: /\b19\.\d/ },
  gopls: { asked: 'version', version: /\bv0\.23\./ },
  'rust-analyzer': { asked: '--version', version: /\b1\.96\./ },
};

/** Whether a server is of the pinned version. Those that come along with the package are pinned by its lock file. */
export function isPinnedVersion(program: string | undefined): boolean {
  const pin = program === undefined ? undefined : pinned[program];
  if (program === undefined || pin === undefined) return true;
  return pin.version.test(spawnSync(program, [pin.asked], { encoding: 'utf8' }).stdout ?? '');
}
