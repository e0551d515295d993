import { win32 } from 'node:path';

/**
 * `file:` URIs (RFC 8089) and their absolute paths.
 *
 * Invariant: `fromFileUri(toFileUri(path))` is `path`, and two spellings of one URI that differ only in their escapes
 * give the same path. Drive letters are lower case, as language servers write them.
 */
export function toFileUri(absolute: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return `file://${encodePath(absolute)}`;
  const slashed = lowerDrive(absolute.replaceAll('\\', '/'));
  if (!slashed.startsWith('//')) return `file:///${encodePath(slashed)}`;
  return `file:${encodePath(slashed)}`;
}

/** The absolute path of a `file:` URI; undefined if it is another URI or names another machine. */
export function fromFileUri(uri: string, platform: NodeJS.Platform = process.platform): string | undefined {
  const scheme = /^file:/i.exec(uri);
  if (scheme === null) return undefined;
  const rest = uri.slice(scheme[0].length);
  const drive = /^\/*([a-z])(:|%3a)(?=[\\/])/i.exec(rest);
  const parsed = drive === null ? splitAuthority(rest) : { host: '', path: `/${rest.replace(/^\/+/, '')}` };
  const path = decodePath(parsed.path);
  if (path === undefined || path.includes('\0')) return undefined;
  if (platform !== 'win32') return isThisMachine(parsed.host) && path.startsWith('/') ? path : undefined;
  const local = win32.normalize(path.replace(/^\/+(?=[a-z]:)/i, ''));
  if (isThisMachine(parsed.host)) return lowerDrive(local);
  return `\\\\${parsed.host}${local}`;
}

/** `c:` and `C:` are one drive; the lower-case spelling is compared. */
export function lowerDrive(path: string): string {
  return /^[A-Z]:/.test(path) ? path.charAt(0).toLowerCase() + path.slice(1) : path;
}

function splitAuthority(rest: string): { readonly host: string; readonly path: string } {
  if (!rest.startsWith('//')) return { host: '', path: rest };
  const slash = rest.indexOf('/', 2);
  return slash < 0
    ? { host: rest.slice(2), path: '' }
    : { host: rest.slice(2, slash), path: rest.slice(slash) };
}

function isThisMachine(host: string): boolean {
  return host === '' || host.toLowerCase() === 'localhost';
}

/** Everything but unreserved characters and separators is escaped, as in the URI library of editors. */
function encodePath(path: string): string {
  if (/^[\w\-.~/]*$/.test(path)) return path;
  return path
    .split('/')
    .map((segment) => encodeURIComponent(wellFormed(segment)).replace(/[!'()*]/g, escapeCharacter))
    .join('/');
}

/** A lone surrogate cannot be escaped; it becomes the replacement character, as when written to disk. */
function wellFormed(segment: string): string {
  return Buffer.from(segment, 'utf8').toString('utf8');
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Query and fragment are not part of the path. */
function decodePath(path: string): string | undefined {
  const bare = path.replace(/[?#].*$/s, '');
  if (!bare.includes('%')) return bare;
  try {
    return decodeURIComponent(bare);
  } catch (thrown) {
    if (thrown instanceof URIError) return undefined;
    throw thrown;
  }
}
