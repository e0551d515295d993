/**
 * The files of the page, as they were built.
 *
 * Invariant: only files that lay in the directory when it was listed are served; no part of a request is joined to a path.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { isMissing } from '../base/errno.ts';

export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

export class PageFiles {
  /** Absolute file names by the path of their address. */
  readonly #files: ReadonlyMap<string, string>;

  private constructor(files: ReadonlyMap<string, string>) {
    this.#files = files;
  }

  /** Without the directory there are no files, and the page says how to build them. */
  static async in(directory: string): Promise<PageFiles> {
    try {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && types[extname(entry.name)] !== undefined);
      return new PageFiles(
        new Map(
          files.map((entry) => {
            const file = join(entry.parentPath, entry.name);
            return [`/${relative(directory, file).split(sep).join('/')}`, file];
          }),
        ),
      );
    } catch (thrown) {
      if (isMissing(thrown)) return new PageFiles(new Map());
      throw thrown;
    }
  }

  async read(path: string): Promise<PageFile | undefined> {
    const name = path === '/' ? '/index.html' : path;
    const file = this.#files.get(name);
    if (file === undefined) return name === '/index.html' ? unbuilt : undefined;
    return {
      bytes: new Uint8Array(await readFile(file)),
      type: types[extname(file)] ?? 'application/octet-stream',
    };
  }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

const unbuilt: PageFile = {
  bytes: new TextEncoder().encode(
    '<!doctype html><meta charset="utf-8"><title>Forerun</title><p>The page is not built. Run <code>npm run build</code>.',
  ),
  type: 'text/html; charset=utf-8',
};

/**
 * What the page may load and connect to. Styles may be inline, since CodeMirror and xterm write style elements; scripts
 * may not.
 */
export function contentSecurityPolicy(host: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "worker-src 'self'",
    `connect-src 'self' ws://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
