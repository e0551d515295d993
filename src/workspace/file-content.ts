/**
 * The content of one path.
 *
 * `text` is valid UTF-8 without its byte order mark, which is recorded in `bom`; anything else is `binary`. `mode` is
 * set if it matters (a new executable, a changed bit); if it is absent, a commit keeps the mode of an existing file.
 */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly bom?: boolean; readonly mode?: number }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array; readonly mode?: number }
  | { readonly kind: 'symlink'; readonly target: string };
