/**
 * The language servers that are shipped with this package, and how they are started.
 *
 * Invariant: every returned file exists. The native TypeScript binary is started directly, since its Node launcher
 * takes longer than the server itself.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { errnoOf, isMissing } from '../base/errno.ts';
import { Failure } from '../base/failure.ts';
import { unreachable } from '../base/unreachable.ts';
import type { EmbeddedServer } from './server-definition.ts';

export class EmbeddedServerMissing extends Failure {
  readonly code = 'servers/embedded-missing';
  readonly remedy = 'Reinstall the package with its optional dependencies, or install a server of your own.';

  constructor(server: EmbeddedServer, options?: ErrorOptions) {
    super(`the embedded ${server} server is not installed for ${process.platform}-${process.arch}`, options);
  }
}

/** The argument vector that starts an embedded server. If the workspace pins its own TypeScript 7, that one is used. */
export function resolveEmbedded(server: EmbeddedServer, workspaceDir?: string): string[] {
  const here = createRequire(import.meta.url);
  try {
    switch (server) {
      case 'typescript': {
        const pinned = workspaceDir === undefined ? undefined : pinnedTypeScript(workspaceDir);
        return [pinned ?? nativeBinary(import.meta.url), '--lsp', '--stdio'];
      }
      case 'pyright':
        return [process.execPath, here.resolve('pyright/langserver.index.js'), '--stdio'];
      default:
        return unreachable(server);
    }
  } catch (cause) {
    throw new EmbeddedServerMissing(server, { cause });
  }
}

/** The binary of the workspace's own TypeScript, if its version is a server and it fits this machine. */
export function pinnedTypeScript(workspaceDir: string): string | undefined {
  const manifest = join(workspaceDir, 'node_modules', 'typescript', 'package.json');
  try {
    const { version }: { version?: unknown } = JSON.parse(readFileSync(manifest, 'utf8'));
    if (typeof version !== 'string' || !(Number.parseInt(version, 10) >= 7)) return undefined;
    // Package managers link packages into place; the dependencies lie beside the real directory.
    return nativeBinary(realpathSync(manifest));
  } catch (thrown) {
    const isUnusable = isMissing(thrown) || thrown instanceof SyntaxError || isUnresolved(thrown);
    if (isUnusable) return undefined;
    throw thrown;
  }
}

/**
 * TypeScript ships its compiler in one package per platform, on which both the package `typescript` and this one
 * depend. `from` is a file of the package that depends on it.
 */
function nativeBinary(from: string): string {
  const platformPackage = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
  const directory = dirname(createRequire(from).resolve(platformPackage));
  const binary = join(directory, 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc');
  if (!existsSync(binary)) throw new Error(`${binary} does not exist`);
  return binary;
}

function isUnresolved(thrown: unknown): boolean {
  return errnoOf(thrown) === 'MODULE_NOT_FOUND';
}
