/**
 * Runs a compiler on an overlay mounted as real files, for languages whose compiler reports more than their server.
 *
 * Invariant: a file counts as checked only if the run completed; its problems are those of the mounted files, and a
 * file without output has none. The compiler is confined like the server.
 */
import { join } from 'node:path';
import { CommandNotFound } from '../process/process-failure.ts';
import { runCommand } from '../process/run-command.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { FileDiagnostics } from './proof.ts';
import { cargoCheck } from './rust/cargo-check.ts';
import { type CargoMemory, cargoMemory } from './rust/cargo-run.ts';
import type { CargoCheck } from './server-definition.ts';
import { checkEnvironment } from './server-environment.ts';
import type { ShownSite } from './server-site.ts';

/** Output beyond this is not read; a workspace with thousands of warnings prints less. */
const maxOutputBytes = 64 * 2 ** 20;

/** The compiler's diagnostics for `paths`; undefined if there is no such compiler. */
export async function runFullCheck(
  check: CargoCheck,
  site: ShownSite,
  paths: readonly WorkspacePath[],
  options: { readonly timeoutMs: number; readonly plainDisk: number | undefined },
  signal: AbortSignal,
): Promise<readonly FileDiagnostics[] | undefined> {
  const { mount, trust } = site;
  const env = checkEnvironment(check, { root: mount.root, trust });
  const deadline = performance.now() + options.timeoutMs;
  const run = async (command: readonly string[], cwd: string) => {
    const launch = await site.launch({ command, cwd, env });
    const timeoutMs = Math.max(1, deadline - performance.now());
    return runCommand({ ...launch, timeoutMs, maxOutputBytes }, signal);
  };
  const [variable = ''] = check.buildDirectory.variables;
  const buildDirectory = env[variable] ?? join(mount.root, check.buildDirectory.name);
  const memory = memories.get(site) ?? cargoMemory();
  memories.set(site, memory);
  const cargo = { root: mount.root, buildDirectory, run, readText: (path: string) => mount.readText(path) };
  try {
    return await cargoCheck(check.command, cargo, { paths, memory, plainDisk: options.plainDisk });
  } catch (thrown) {
    if (thrown instanceof CommandNotFound) return undefined;
    throw thrown;
  }
}

const memories = new WeakMap<ShownSite, CargoMemory>();
