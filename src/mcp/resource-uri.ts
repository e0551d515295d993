/**
 * The URIs of our resources.
 *
 * Invariant: parsing a URI never touches the disk; whether the file may be read is decided where it is read.
 */
export const diagnosticsUri = 'lsp-diagnostics://';
export const hoverUri = 'lsp-hover://';
export const completionsUri = 'lsp-completions://';
export const referencesUri = 'lsp-references://';
export const inspectionUri = 'inspect://last';
export const sessionUri = 'forerun-session://';

/**
 * The absolute path after `scheme://`, without query; undefined if there is none. A path with its own leading slash
 * in a template is the same file.
 */
export function filePathOf(uri: string): string | undefined {
  const encoded = /^[a-z-]+:\/\/([^?#]*)/.exec(uri)?.[1];
  if (encoded === undefined) return undefined;
  const path = `/${decoded(encoded).replace(/^\/+/, '')}`;
  if (path === '/') return undefined;
  return /^\/[A-Za-z]:\//.test(path) ? path.slice(1) : path;
}

export function queryOf(uri: string): URLSearchParams {
  const start = uri.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : uri.slice(start + 1));
}

/** A name with a stray percent sign is not decoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
