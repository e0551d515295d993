/** Paths of the workspace and places in files, as the page names them. */

/** A place in a file: zero-based, in UTF-16 units. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly character: number;
  /** The end of what is selected there; absent: the caret only. */
  readonly end?: { readonly line: number; readonly character: number };
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Empty for files at the root. */
export function folderOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '' : path.slice(0, at);
}
