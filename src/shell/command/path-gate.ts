/**
 * Prevents commands from reading anything but files of the workspace: endless devices, kernel file systems in which a
 * read can have effects, and unrelated files of the user.
 *
 * Invariant: judged by the spelling of a path and every directory it may be relative to. Links are checked again
 * before a command runs.
 */
import { posix } from 'node:path';
import { boundary, type ShellBoundary } from '../boundary.ts';
import type { ReadFile } from './command-rule.ts';

export interface PathReach {
  /** The directories a relative path may start from; the empty one is the unknown initial directory. */
  readonly bases: readonly string[];
  /** The workspace root, if known. */
  readonly root: string | undefined;
  /** Whether content is read, or only names and attributes are shown. */
  readonly kind: 'file' | 'entry';
}

export function gatePath(
  { path, at }: ReadFile,
  { bases, root, kind }: PathReach,
): ShellBoundary | undefined {
  if (path === '-' || path === '') return undefined;
  for (const base of bases) {
    const full = posix.normalize(posix.isAbsolute(path) ? path : posix.join(base, path));
    if (isKernels(full, root))
      return boundary('device', at, `${path} may be a device or belong to the kernel`);
    if (!isReachable(full, root, kind))
      return boundary('outside', at, `${path} may lie outside the workspace`);
  }
  return undefined;
}

const harmless: ReadonlySet<string> = new Set([
  '/dev/null',
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/version',
  '/proc/loadavg',
  '/proc/uptime',
]);

function isKernels(normal: string, root: string | undefined): boolean {
  if (harmless.has(normal)) return false;
  // A tmpfs: ordinary files, and a location of scratch workspaces.
  if (root !== undefined && isInside(root, normal)) return false;
  const segments = normal.split('/').filter((segment) => segment !== '' && segment !== '..');
  if (!normal.startsWith('/') && !normal.startsWith('..')) return false;
  const [top] = segments;
  if (top === undefined) return false;
  // A pattern at the top level could match kernel file systems, and a path of `..` may reach the top level.
  return top === 'dev' || top === 'proc' || top === 'sys' || /[*?[]/.test(top);
}

function isReachable(normal: string, root: string | undefined, kind: PathReach['kind']): boolean {
  if (!posix.isAbsolute(normal)) return normal !== '..' && !normal.startsWith('../');
  if (root !== undefined && isInside(root, normal)) return true;
  if (harmless.has(normal) || isPublic(normal, kind)) return true;
  // If the workspace is unknown, it may be in one of these directories; the run checks again.
  return (
    root === undefined && /^\/(workspaces?|repos?|app|project|code|work|src|tmp|testbed)(\/|$)/.test(normal)
  );
}

/** Files that every user of a system may read, without secrets. */
function isPublic(normal: string, kind: PathReach['kind']): boolean {
  if (/^\/(usr|bin|sbin|lib|lib64|opt)(\/|$)/.test(normal)) return true;
  if (kind === 'entry' && /^\/(tmp|etc|home|var|srv)?\/?$/.test(normal)) return true;
  return publicFiles.has(normal);
}

const publicFiles: ReadonlySet<string> = new Set([
  '/etc/os-release',
  '/etc/lsb-release',
  '/etc/debian_version',
  '/etc/alpine-release',
  '/etc/redhat-release',
  '/etc/issue',
  '/etc/hostname',
  '/etc/hosts',
  '/etc/timezone',
  '/etc/localtime',
  '/etc/shells',
  '/etc/services',
  '/etc/protocols',
  '/etc/mime.types',
]);

/** Whether `path` is `directory` or lies inside it; both absolute. */
function isInside(directory: string, path: string): boolean {
  const way = posix.relative(directory, path);
  return way === '' || !(way === '..' || way.startsWith('../'));
}
