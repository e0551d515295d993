import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep, win32 } from 'node:path';
import { isMissing } from '../base/errno.ts';
import { Failure } from '../base/failure.ts';
import { childOf, parseWorkspacePath, type WorkspacePath } from './workspace-path.ts';

/**
 * A root directory and the names of the files inside it: paths, absolute paths and `file:` URIs.
 *
 * Invariant: `root` is a real path (without links), and no method returns a path that leaves it.
 */
export class Workspace {
  readonly root: string;
  /** The root as spelled when opened; absolute inputs often use the same spelling. */
  readonly #spelling: string;
  readonly #uris = new Map<WorkspacePath, string>();

  private constructor(root: string, spelling: string) {
    this.root = root;
    this.#spelling = spelling;
  }

  static async open(directory: string): Promise<Workspace> {
    const spelling = resolve(directory);
    const root = await realpath(spelling).catch((cause: unknown) => {
      throw new WorkspaceNotFound(directory, { cause });
    });
    if (!(await stat(root)).isDirectory()) throw new WorkspaceNotFound(directory);
    return new Workspace(lowerDrive(root), lowerDrive(spelling));
  }

  /** The path of an absolute, `file:` or root-relative input, without following links. */
  path(input: string): WorkspacePath {
    const absolute = this.#absoluteInput(input);
    const path = inside(this.root, absolute) ?? inside(this.#spelling, absolute);
    if (path === undefined) throw new PathOutsideWorkspace(input, this.root);
    return path;
  }

  /** Like `path`, with links followed: the result is the canonical path of the file. */
  async resolve(input: string): Promise<WorkspacePath> {
    const path = inside(this.root, lowerDrive(followLinks(this.#absoluteInput(input))));
    if (path === undefined) throw new PathOutsideWorkspace(input, this.root);
    return path;
  }

  /** Like `resolve`, but a link at the end is not followed: the result names the entry itself. */
  async resolveEntry(input: string): Promise<WorkspacePath> {
    const absolute = this.#absoluteInput(input);
    if ((inside(this.root, absolute) ?? inside(this.#spelling, absolute)) === '') return this.path(input);
    const directory = inside(this.root, lowerDrive(followLinks(dirname(absolute))));
    if (directory === undefined) throw new PathOutsideWorkspace(input, this.root);
    return childOf(directory, absolute.slice(dirname(absolute).length).replace(/^[\\/]+/, ''));
  }

  absolute(path: WorkspacePath): string {
    return path === '' ? this.root : join(this.root, path);
  }

  uri(path: WorkspacePath): string {
    const known = this.#uris.get(path);
    if (known !== undefined) return known;
    const uri = toFileUri(this.absolute(path));
    this.#uris.set(path, uri);
    return uri;
  }

  /** The path of a language server's URI; undefined if it is outside the workspace or not a file. */
  fromUri(uri: string): WorkspacePath | undefined {
    const named = fromFileUri(uri);
    if (named === undefined) return undefined;
    const absolute = resolve(named);
    return inside(this.root, absolute) ?? inside(this.#spelling, absolute);
  }

  #absoluteInput(input: string): string {
    if (input.includes('\0')) throw new InvalidPath(input);
    if (!/^file:/i.test(input))
      return lowerDrive(isAbsolute(input) ? resolve(input) : resolve(this.root, input));
    const absolute = fromFileUri(input);
    if (absolute === undefined) throw new PathOutsideWorkspace(input, this.root);
    return resolve(absolute);
  }
}

export class PathOutsideWorkspace extends Failure {
  readonly code = 'workspace/outside';
  readonly remedy =
    'Use a file inside the workspace root, open the workspace that the file belongs to, or add its directory to this one.';

  constructor(path: string, root: string) {
    super(`file path "${path}" is outside workspace root "${root}"`);
  }
}

/** Whether a path lies in a workspace, by its spelling. */
export function contains(workspace: Workspace, filePath: string): boolean {
  try {
    workspace.path(filePath);
    return true;
  } catch (thrown) {
    if (thrown instanceof PathOutsideWorkspace) return false;
    throw thrown;
  }
}

class WorkspaceNotFound extends Failure {
  readonly code = 'workspace/not-a-directory';
  readonly remedy = 'Give the path of an existing directory as the workspace root.';

  constructor(directory: string, options?: ErrorOptions) {
    super(`workspace root "${directory}" is not a directory`, options);
  }
}

class InvalidPath extends Failure {
  readonly code = 'workspace/invalid-path';
  readonly remedy = 'Remove the NUL byte from the path.';

  constructor(path: string) {
    super(`file path ${JSON.stringify(path)} contains a NUL byte`);
  }
}

function inside(root: string, absolute: string): WorkspacePath | undefined {
  if (sep === '/') {
    // The common case on a hot path: plain prefixes need no walk over segments.
    const prefix = root.endsWith('/') ? root : `${root}/`;
    if (absolute.startsWith(prefix)) return parseWorkspacePath(absolute.slice(prefix.length));
  }
  const path = relative(root, absolute);
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return undefined;
  return parseWorkspacePath(path.split(sep).join('/'));
}

/** The real path of a file that may not exist yet: its existing part is resolved, and links to what is missing are followed. */
export function followLinks(absolute: string, linksLeft = 40): string {
  try {
    return realpathSync.native(absolute);
  } catch (thrown) {
    if (!isMissing(thrown) || dirname(absolute) === absolute) throw thrown;
  }
  const directory = followLinks(dirname(absolute), linksLeft);
  const entry = join(directory, absolute.slice(dirname(absolute).length).replace(/^[\\/]+/, ''));
  const target = danglingTarget(entry);
  if (target === undefined) return entry;
  if (linksLeft === 0) return entry;
  return followLinks(resolve(directory, target), linksLeft - 1);
}

/** A write would follow a dangling link, so its target counts. */
function danglingTarget(entry: string): string | undefined {
  try {
    return lstatSync(entry).isSymbolicLink() ? readlinkSync(entry) : undefined;
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

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
