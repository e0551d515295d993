/**
 * The command with which a client starts this program.
 *
 * Invariant: it starts the program that runs now, on another day and in another directory too. A name is written only
 * if it leads here; a package name only if this program came from a registry by it.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import { isRecord } from '../../base/record.ts';
import type { ClientLaunch } from './client-target.ts';

export interface LaunchOptions {
  /** Servers to use as `language:binary[,args…]`; empty: detect at every start. */
  readonly servers: readonly string[];
  readonly toolset: 'full' | 'core';
}

/** Where this program runs from. */
export interface RunningProgram {
  /** The directory of the package. */
  readonly root: string;
  /** The Node that runs it. */
  readonly node: string;
}

export function launchOf(
  env: NodeJS.ProcessEnv,
  program: RunningProgram,
  { servers, toolset }: LaunchOptions,
): ClientLaunch {
  const { command, args } = startOf(env, program);
  const options = toolset === 'core' ? ['--toolset', 'core'] : [];
  return { command, args: [...args, 'mcp', ...options, ...servers], leading: args.length + 1 };
}

function startOf(env: NodeJS.ProcessEnv, { root, node }: RunningProgram): Omit<ClientLaunch, 'leading'> {
  const bin = join(root, 'bin', 'forerun.js');
  if (isNamed(env, bin)) return { command: 'forerun', args: [] };
  return isFromRegistry(root) ? { command: 'npx', args: ['-y', 'forerun'] } : { command: node, args: [bin] };
}

/** Whether `forerun` on the lasting search path is this program; npm's own directories are gone after the run. */
function isNamed(env: NodeJS.ProcessEnv, bin: string): boolean {
  const directories = (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter(
      (directory) => isAbsolute(directory) && !/[\\/](node_modules[\\/]\.bin|_npx)([\\/]|$)/.test(directory),
    );
  // On Windows the name is that of a script, which names the program by its path from there.
  if (process.platform === 'win32') {
    return directories.some((directory) => leadsTo(join(directory, 'node_modules', 'forerun', 'bin'), bin));
  }
  return directories.some((directory) => realName(join(directory, 'forerun')) === realName(bin));
}

function leadsTo(directory: string, bin: string): boolean {
  return realName(join(directory, 'forerun.js')) === realName(bin);
}

/** Whether npx fetched the package: its lock file says from where. */
function isFromRegistry(root: string): boolean {
  const [, cache] = /^(.*[\\/]_npx[\\/][^\\/]+)[\\/]node_modules[\\/]forerun$/.exec(root) ?? [];
  if (cache === undefined) return false;
  try {
    const lock: unknown = JSON.parse(
      readFileSync([cache, 'node_modules', '.package-lock.json'].join(sep), 'utf8'),
    );
    const packages = isRecord(lock) ? lock.packages : undefined;
    const entry = isRecord(packages) ? packages['node_modules/forerun'] : undefined;
    return isRecord(entry) && typeof entry.resolved === 'string' && /^https?:/.test(entry.resolved);
  } catch {
    // Without a readable lock file the origin is unknown, and the path of the program is right in any case.
    return false;
  }
}

function realName(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
