/**
 * The command with which a client starts this program.
 *
 * Invariant: the command also works on another day and in another directory. A program found only through npm's
 * temporary search path does not count.
 */
import { delimiter, isAbsolute, join } from 'node:path';
import { isExecutable } from '../../process/executable.ts';
import type { ClientLaunch } from './client-target.ts';

export interface LaunchOptions {
  /** Servers to use as `language:binary[,args…]`; empty: detect at every start. */
  readonly servers: readonly string[];
  readonly toolset: 'full' | 'core';
}

export function launchOf(env: NodeJS.ProcessEnv, { servers, toolset }: LaunchOptions): ClientLaunch {
  const words = ['mcp', ...(toolset === 'core' ? ['--toolset', 'core'] : []), ...servers];
  return isInstalled(env)
    ? { command: 'forerun', args: words }
    : { command: 'npx', args: ['-y', 'forerun', ...words] };
}

function isInstalled(env: NodeJS.ProcessEnv): boolean {
  const names = process.platform === 'win32' ? ['forerun.cmd', 'forerun.exe'] : ['forerun'];
  const lasting = (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter(
      (directory) => isAbsolute(directory) && !/[\\/](node_modules[\\/]\.bin|_npx)([\\/]|$)/.test(directory),
    );
  return lasting.some((directory) => names.some((name) => isExecutable(join(directory, name))));
}
