/**
 * Modes of committed files.
 *
 * Invariant: no file is written with a set-user-ID, set-group-ID or sticky bit. Changed content must not run with the
 * privileges that were granted to its former content.
 */
export function permissionBits(mode: number): number {
  return mode & 0o777;
}

/** Whether a mode has bits that a committed file does not get. */
export function hasSpecialBits(mode: number): boolean {
  return (mode & 0o7000) !== 0;
}
