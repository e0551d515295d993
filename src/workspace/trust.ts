/**
 * The workspaces that a user trusts to run their own programs.
 *
 * The store holds real paths, not inodes: a directory that is removed and cloned again at the same path is still
 * trusted, as in editors. Trust in a repository covers the directories inside it up to the next repository.
 *
 * Invariants: a workspace is trusted only by what its user wrote outside of it; a store that cannot be read, or that
 * another user could have written, trusts nothing.
 */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Environment } from '../base/environment.ts';
import { isMissing } from '../base/errno.ts';
import { Failure, messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { statePlaces } from '../storage/own-places.ts';
import { makePrivateDirectory, stateDirectory, userId } from '../storage/user-directories.ts';
import { isAtOrBelow, realPathOf } from './real-path.ts';
import { howToTrust } from './trust-remedy.ts';

export type Trust = 'trusted' | 'untrusted';

/** Says whether programs of a workspace may run. */
export interface TrustSource {
  trustOf(root: string): Trust;
}

/** Trusts no workspace. */
export const noTrust: TrustSource = { trustOf: () => 'untrusted' };

export interface TrustedWorkspace {
  readonly path: string;
  /** When it was trusted, ISO 8601. */
  readonly since: string;
}

export interface TrustStoreOptions {
  readonly env: Environment;
  readonly log: Log;
  /** Folders of the user's settings: every workspace in one of them is trusted. */
  readonly folders?: { readonly declaredIn: string; readonly paths: readonly string[] };
}

export class TrustStore implements TrustSource {
  readonly #options: TrustStoreOptions;
  readonly #directory: string;
  #cached: { readonly stamp: string; readonly trusted: readonly TrustedWorkspace[] } | undefined;

  constructor(options: TrustStoreOptions) {
    this.#options = options;
    this.#directory = stateDirectory(options.env);
  }

  get file(): string {
    return statePlaces.trust(this.#directory);
  }

  /** The folders of the user's settings. */
  get folders(): readonly string[] {
    return this.#options.folders?.paths ?? [];
  }

  /** Reads changes made by other processes since the last call. */
  trustOf(root: string): Trust {
    const real = realPathOf(root);
    // Asked several times per answer: the paths of our own files are resolved only if trust depends on them.
    if (this.#isInTrustedFolder(real)) return 'trusted';
    if (!this.list().some(({ path }) => covers(path, real))) return 'untrusted';
    // A workspace that contains the store could have supplied it.
    return isAtOrBelow(realPathOf(this.file), real) ? 'untrusted' : 'trusted';
  }

  trust(root: string): void {
    const path = realPathOf(root);
    if (isAtOrBelow(realPathOf(this.file), path)) throw new StoreInsideWorkspace(path, this.file);
    const others = this.list().filter((entry) => entry.path !== path);
    this.#write([...others, { path, since: new Date().toISOString() }]);
  }

  /** Removes a workspace; returns whether it was in the store. */
  revoke(root: string): 'revoked' | 'unknown' {
    const path = realPathOf(root);
    const before = this.list();
    const after = before.filter((entry) => entry.path !== path);
    if (after.length === before.length) return 'unknown';
    this.#write(after);
    return 'revoked';
  }

  list(): readonly TrustedWorkspace[] {
    try {
      const found = statSync(this.file, { throwIfNoEntry: false });
      if (found === undefined) return [];
      const { mtimeMs, size, ino, uid, mode } = found;
      const isOurs = process.platform === 'win32' || (uid === userId() && (mode & 0o022) === 0);
      if (!isOurs) return this.#nothing('it belongs to another user or others can write it');
      const stamp = `${mtimeMs} ${size} ${ino}`;
      if (this.#cached?.stamp === stamp) return this.#cached.trusted;
      const { trusted } = storeSchema.parse(JSON.parse(readFileSync(this.file, 'utf8')));
      this.#cached = { stamp, trusted };
      return trusted;
    } catch (thrown) {
      return isMissing(thrown) ? [] : this.#nothing(messageOf(thrown));
    }
  }

  /** Settings inside a workspace do not make it trusted. */
  #isInTrustedFolder(real: string): boolean {
    const { folders } = this.#options;
    if (folders === undefined) return false;
    return (
      folders.paths.some((folder) => isAtOrBelow(real, realPathOf(folder))) &&
      !isAtOrBelow(realPathOf(folders.declaredIn), real)
    );
  }

  #nothing(reason: string): readonly TrustedWorkspace[] {
    const { file } = this;
    this.#options.log.warning('trust.unreadable', { code: 'workspace/trust-unreadable', file, reason });
    return [];
  }

  #write(trusted: readonly TrustedWorkspace[]): void {
    makePrivateDirectory(this.#directory);
    const sorted = [...trusted].sort((a, b) => (a.path < b.path ? -1 : 1));
    const beside = `${this.file}.${process.pid}`;
    try {
      rmSync(beside, { force: true });
      const text = `${JSON.stringify({ version: 1, trusted: sorted }, undefined, 2)}\n`;
      writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
      renameSync(beside, this.file);
    } finally {
      rmSync(beside, { force: true });
    }
    this.#cached = undefined;
  }
}

/** Trust granted for this process, in addition to the stored trust. */
export class ProcessTrust implements TrustSource {
  readonly #stored: TrustSource;
  readonly #granted: 'every-workspace' | Set<string>;

  constructor(stored: TrustSource, granted: 'every-workspace' | readonly string[]) {
    this.#stored = stored;
    this.#granted = granted === 'every-workspace' ? granted : new Set(granted.map(realPathOf));
  }

  trustOf(root: string): Trust {
    if (this.#granted === 'every-workspace') return 'trusted';
    if (this.#granted.size > 0) {
      const real = realPathOf(root);
      if ([...this.#granted].some((path) => covers(path, real))) return 'trusted';
    }
    return this.#stored.trustOf(root);
  }
}

/** The request would run programs of an untrusted workspace. */
export class WorkspaceUntrusted extends Failure {
  readonly code = 'workspace/untrusted';
  readonly remedy: string;

  constructor(what: string, root: string) {
    super(`${what} runs programs of the workspace ${root}, which is not trusted`);
    this.remedy = howToTrust(root);
  }
}

class StoreInsideWorkspace extends Failure {
  readonly code = 'workspace/trust-inside';
  readonly remedy =
    'Trust the directories inside it that you work on, or set XDG_STATE_HOME to a directory outside of it.';

  constructor(root: string, file: string) {
    super(`${root} contains ${file}, where trust is stored, so it cannot be trusted as a workspace`);
  }
}

const storeSchema = z.object({
  version: z.literal(1),
  trusted: z.array(z.object({ path: z.string().min(1), since: z.string() })),
});

/** Whether trust in one directory covers another: the same one, or one in the same repository. */
function covers(trusted: string, root: string): boolean {
  if (trusted === root) return true;
  if (!isAtOrBelow(root, trusted) || !existsSync(join(trusted, '.git'))) return false;
  for (let at = root; at !== trusted; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return false;
  }
  return true;
}
