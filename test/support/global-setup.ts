/**
 * Builds what the tests start as processes: the program, and the programs of `test/children`; and sets up the directory of their
 * temporary files.
 *
 * Invariant: a run starts children of its own bundle only, and removes the bundle. The program is built when its sources are
 * newer, and what an earlier build wrote stays: a second run in the same working tree does not disturb the first.
 */
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type InlineConfig } from 'tsdown';
import program from '../../tsdown.config.ts';
import { childrenVariable } from './child-program.ts';
import { scratchVariable } from './scratch-directory.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
/** Beside `node_modules`, where the bundles find what they leave out. */
const bundles = join(top, '.vitest', 'children');

/** Runs once for each project; the first one builds for all. */
export async function setup(): Promise<(() => void) | undefined> {
  if (process.env[childrenVariable] !== undefined) return undefined;
  const own = join(bundles, String(process.pid));
  process.env[childrenVariable] = own;
  removeAbandoned();
  configureClangd();
  const shared = {
    ...program,
    config: false,
    cwd: top,
    logLevel: 'error',
    clean: false,
  } satisfies InlineConfig;
  await Promise.all([
    isProgramBuilt() || build(shared),
    build({ ...shared, entry: ['test/children/*.ts'], outDir: own }),
  ]);
  return () => rmSync(own, { recursive: true, force: true });
}

/**
 * Above all workspaces of the tests, where they lie in a directory of the run. An index of the C++ library takes clangd 1.5 s of a
 * processor in every process, and offers only what a file does not include.
 */
function configureClangd(): void {
  const scratch = process.env[scratchVariable];
  if (scratch !== undefined) writeFileSync(join(scratch, '.clangd'), 'Index:\n  StandardLibrary: No\n');
}

function isProgramBuilt(): boolean {
  const built = join(top, 'dist', 'cli.js');
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  const sources = readdirSync(join(top, 'src'), { recursive: true, encoding: 'utf8' });
  const read = [
    'package.json',
    'package-lock.json',
    'tsdown.config.ts',
    ...sources.map((path) => join('src', path)),
  ];
  return read.every((path) => statSync(join(top, path)).mtimeMs < mtimeMs);
}

/** Bundles of runs that were killed. */
function removeAbandoned(): void {
  if (!existsSync(bundles)) return;
  for (const pid of readdirSync(bundles).filter((name) => !isRunning(Number(name))))
    rmSync(join(bundles, pid), { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
