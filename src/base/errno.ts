/** Reading of the codes that file system calls fail with. */

/** The `code` of a system error, or undefined for any other thrown value. */
export function errnoOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Whether a call failed because nothing is there, or because nothing can be there under such a name. */
export function isMissing(thrown: unknown): boolean {
  const code = errnoOf(thrown);
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG';
}

/** Whether a call failed because nothing is there, or because we may not see what is. */
export function isUnreadable(thrown: unknown): boolean {
  const code = errnoOf(thrown);
  return isMissing(thrown) || code === 'EACCES' || code === 'EPERM';
}
