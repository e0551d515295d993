/** The mounts of this process, as the kernel lists them. */
import { isWithin } from './place.ts';

export interface Mount {
  readonly path: string;
  readonly flags: readonly string[];
}

/** The mounts of a table as `/proc/self/mountinfo` has it. */
export function mountsIn(mountinfo: string): readonly Mount[] {
  return mountinfo
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '))
    .map(([, , , , path = '', options = '']) => ({ path: unescaped(path), flags: options.split(',') }));
}

/** The options that make the mount a path lies in read-only. */
export function readonlyOptions(mounts: readonly Mount[], path: string): string {
  const around = mounts.filter((mount) => isWithin(path, mount.path));
  const nearest = Math.max(...around.map((mount) => mount.path.length));
  const flags = around.findLast((mount) => mount.path.length === nearest)?.flags ?? [];
  return ['ro', ...new Set(['nosuid', 'nodev', ...flags.filter((flag) => keptFlags.has(flag))])].join(',');
}

/** The paths below a directory at which something else is mounted. */
export function mountsBelow(mounts: readonly Mount[], directory: string): readonly string[] {
  const below = mounts.map(({ path }) => path).filter((path) => path.startsWith(`${directory}/`));
  return [...new Set(below)];
}

/** In a user namespace a mount may only be changed with the flags it has; these can be among them. */
const keptFlags: ReadonlySet<string> = new Set([
  'nosuid',
  'nodev',
  'noexec',
  'noatime',
  'nodiratime',
  'relatime',
  'nosymfollow',
]);

/** The kernel writes blanks and backslashes in paths as three octal digits. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
