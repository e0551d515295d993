/** The mounts of this process, as listed by the kernel. */
import { isWithin } from './place.ts';

export interface Mount {
  readonly path: string;
  readonly flags: readonly string[];
}

/** Parses the mounts of `/proc/self/mountinfo`. */
export function mountsIn(mountinfo: string): readonly Mount[] {
  return mountinfo
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '))
    .map(([, , , , path = '', options = '']) => ({ path: unescaped(path), flags: options.split(',') }));
}

/** The options that make the mount of a path read-only. */
export function readonlyOptions(mounts: readonly Mount[], path: string): string {
  const around = mounts.filter((mount) => isWithin(path, mount.path));
  const nearest = Math.max(...around.map((mount) => mount.path.length));
  const flags = around.findLast((mount) => mount.path.length === nearest)?.flags ?? [];
  return ['ro', ...new Set(['nosuid', 'nodev', ...flags.filter((flag) => keptFlags.has(flag))])].join(',');
}

/** The mount points below a directory. */
export function mountsBelow(mounts: readonly Mount[], directory: string): readonly string[] {
  const below = mounts.map(({ path }) => path).filter((path) => path.startsWith(`${directory}/`));
  return [...new Set(below)];
}

/** In a user namespace, a remount must keep the locked flags; these can be among them. */
const keptFlags: ReadonlySet<string> = new Set([
  'nosuid',
  'nodev',
  'noexec',
  'noatime',
  'nodiratime',
  'relatime',
  'nosymfollow',
]);

/** The kernel writes blanks and backslashes in paths as octal escapes. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
