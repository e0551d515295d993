/**
 * The directories in which Forerun stores files for its user.
 *
 * Invariant: every directory is absolute and determined by the user's environment only, never by a workspace; a
 * directory created by `makePrivateDirectory` belongs to this user and is closed to all others.
 */
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { Failure } from '../base/failure.ts';

/** Data that must survive a restart: journals, trust, sessions, conversations. */
export function stateDirectory(env: Environment): string {
  return join(absolute(env.XDG_STATE_HOME) ?? join(homeDirectory(env), '.local', 'state'), 'forerun');
}

/** Data that can be computed again. */
export function cacheDirectory(env: Environment): string {
  return join(absolute(env.XDG_CACHE_HOME) ?? join(homeDirectory(env), '.cache'), 'forerun');
}

/** The directory for application settings on this system. */
export function applicationsDirectory(env: Environment): string {
  const home = homeDirectory(env);
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (process.platform === 'win32') return absolute(env.APPDATA) ?? join(home, 'AppData', 'Roaming');
  return absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config');
}

/**
 * The user's home directory. A user id without a passwd entry and without HOME gets one below the temporary
 * directory.
 */
export function homeDirectory(env: Environment): string {
  const named = absolute(env.HOME);
  if (named !== undefined) return named;
  try {
    return homedir();
  } catch {
    // libuv fails for a user id without a passwd entry.
    return join(tmpdir(), `forerun-home-${userId()}`);
  }
}

/** The id of the current user; unlike `os.userInfo` it needs no passwd entry. 0 if the system has no user ids. */
export function userId(): number {
  return process.getuid?.() ?? 0;
}

/** Creates a directory, with its parents, that only this user can read; refuses one that another user controls. */
export function makePrivateDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const stat = lstatSync(directory);
  if (!stat.isDirectory() || stat.uid !== userId()) throw new UnsafeDirectory(directory);
  if ((stat.mode & 0o077) !== 0) chmodSync(directory, 0o700);
}

export class UnsafeDirectory extends Failure {
  readonly code = 'storage/unsafe-directory';
  readonly remedy =
    'Remove it, or set XDG_STATE_HOME, XDG_CACHE_HOME or FORERUN_DAEMON_DIR to a directory of your own.';

  constructor(directory: string) {
    super(`${directory} is a link or belongs to another user; Forerun does not store files in it`);
  }
}

/** The XDG specification requires programs to ignore relative paths: they would differ between workspaces. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
