/**
 * What one path holds.
 *
 * `text` is valid UTF-8 with its byte order mark taken off and remembered in `bom`; anything else is
 * `binary`. `mode` is set where it matters (a new executable, a changed bit); a commit keeps the bits an
 * existing file has when it is absent.
 */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly bom?: boolean; readonly mode?: number }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array; readonly mode?: number }
  | { readonly kind: 'symlink'; readonly target: string };
