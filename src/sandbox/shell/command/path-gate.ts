/**
 * Keeps commands from reading what is no file: devices that never end, and the kernel's own trees, where
 * reading can have effects.
 *
 * Invariant: judged by the spelling of a path and every directory it may be relative to. What links hide is
 * looked at once more before a command runs.
 */
import { posix } from 'node:path';
import { boundary, type ShellBoundary } from '../boundary.ts';
import type { ReadFile } from './command-rule.ts';

/** `bases` are the directories a relative path may start from; the empty one is the unknown first. */
export function gatePath({ path, at }: ReadFile, bases: readonly string[]): ShellBoundary | undefined {
  if (path === '-' || path === '') return undefined;
  return bases.some((base) => isKernels(posix.isAbsolute(path) ? path : posix.join(base, path)))
    ? boundary('device', at, `${path} may be a device or belong to the kernel`)
    : undefined;
}

const harmless: ReadonlySet<string> = new Set([
  '/dev/null',
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/version',
  '/proc/loadavg',
  '/proc/uptime',
]);

function isKernels(path: string): boolean {
  const normal = posix.normalize(path);
  if (harmless.has(normal)) return false;
  const segments = normal.split('/').filter((segment) => segment !== '' && segment !== '..');
  const climbs = normal.startsWith('/') || normal.startsWith('..');
  if (!climbs) return false;
  const [top, second, ...below] = segments;
  // Memory dressed as a directory: ordinary files, and a place for scratch workspaces.
  if (top === 'dev' && second === 'shm' && below.length > 0) return false;
  // The whole tree holds the kernel's parts, and a pattern at the top could name them. One that only climbs
  // may arrive at the top.
  if (top === undefined) return normal.startsWith('/');
  return top === 'dev' || top === 'proc' || top === 'sys' || /[*?]/.test(top);
}
