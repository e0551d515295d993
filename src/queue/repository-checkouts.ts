/**
 * The checkouts of a worker: for each repository a bare mirror, and a few commits of it as directories that language
 * servers stay warm on.
 *
 * Invariants: a checkout in use is never removed or moved, and no file of it is ever changed. A job gets the checkout of
 * its own commit, or one that differs from it by few files, none of which says what the program depends on. What a living
 * worker has is dated every few minutes, so that cleaning on any machine that shares the directory leaves it alone.
 */
import { randomUUID } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { FifoLock } from '../base/fifo-lock.ts';
import { failureLogger, type Log } from '../base/log.ts';
import { neverAborts } from '../base/never-aborts.ts';
import { GitRepository } from '../git/git-repository.ts';
import { RepositoryMirror } from '../git/repository-mirror.ts';
import { cachePlaces } from '../storage/own-places.ts';
import { removeTree } from '../storage/remove-tree.ts';
import { makePrivateDirectory } from '../storage/user-directories.ts';
import { workspaceKey } from '../storage/workspace-key.ts';
import type { Warmth } from './answer.ts';
import { isOwnerRunning, ownCheckoutsName } from './checkout-owner.ts';

export interface CheckoutOptions {
  /** The cache directory of the user. */
  readonly cache: string;
  /** How many checkouts are kept. */
  readonly limit: number;
  readonly env: Environment;
  readonly log: Log;
  /** Ends the servers of a checkout that is about to be removed. */
  readonly close: (checkout: Checkout) => Promise<void>;
  /** Puts the dependencies of a new checkout in place. */
  readonly prepare: (checkout: Checkout, signal: AbortSignal) => Promise<void>;
}

export interface Checkout {
  readonly identity: string;
  /** The directory of the checkout. */
  readonly top: string;
  readonly commit: string;
  readonly git: GitRepository;
  readonly mirror: RepositoryMirror;
}

export interface CheckoutLease extends Disposable {
  readonly checkout: Checkout;
  readonly warmth: Warmth;
}

export interface WantedCommit {
  readonly identity: string;
  /** Where it is fetched from. */
  readonly remote: string;
  readonly commit: string;
}

/** A commit that differs by more files than this gets a checkout of its own. */
const nearFiles = 200;

/** Below the time for which even `forerun clean --all` takes a change as a sign of use. */
const markMs = 4 * 60_000;

interface KnownCheckout {
  readonly checkout: Checkout;
  users: number;
  usedAt: number;
}

export class RepositoryCheckouts implements AsyncDisposable {
  readonly #options: CheckoutOptions;
  readonly #directory: string;
  readonly #mirrors = new Map<string, Promise<RepositoryMirror>>();
  readonly #checkouts = new Set<KnownCheckout>();
  readonly #locks = new Map<string, FifoLock>();
  /** How many files differ between two commits; undefined: too many, or not only sources. */
  readonly #distances = new Map<string, number | undefined>();

  readonly #marking: NodeJS.Timeout;

  private constructor(options: CheckoutOptions, directory: string) {
    this.#options = options;
    this.#directory = directory;
    const report = failureLogger(options.log, 'queue.mark-failed');
    this.#marking = setInterval(() => void this.#markUsed().catch(report), markMs).unref();
  }

  static async open(options: CheckoutOptions): Promise<RepositoryCheckouts> {
    const home = cachePlaces.checkouts(options.cache);
    makePrivateDirectory(home);
    await removeAbandoned(home);
    const directory = join(home, ownCheckoutsName());
    makePrivateDirectory(directory);
    return new RepositoryCheckouts(options, directory);
  }

  /** How many checkouts there are. */
  get count(): number {
    return this.#checkouts.size;
  }

  /** The checkout for a commit, made if there is none that serves; it stays until the lease ends. */
  async lease(wanted: WantedCommit, signal: AbortSignal): Promise<CheckoutLease> {
    using _turn = await this.#lock(wanted.identity).acquire(signal);
    const mirror = await this.#presentMirror(wanted, signal);
    await mirror.require(wanted.commit, signal);
    for (
      let found = await this.#nearest(wanted, signal);
      found;
      found = await this.#nearest(wanted, signal)
    ) {
      // A job of another repository may have needed its place meanwhile.
      if (this.#checkouts.has(found.known))
        return leaseOf(found.known, found.distance === 0 ? 'warm' : 'near');
    }
    return leaseOf(await this.#make(mirror, wanted, signal), 'cold');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#marking);
    await removeTree(this.#directory);
    const mirrors = await Promise.allSettled(this.#mirrors.values());
    for (const mirror of mirrors) {
      if (mirror.status !== 'fulfilled') continue;
      await mirror.value.prune(neverAborts()).catch(failureLogger(this.#options.log, 'queue.mirror-prune'));
      await mirror.value[Symbol.asyncDispose]();
    }
  }

  async #markUsed(): Promise<void> {
    const now = new Date();
    await utimes(this.#directory, now, now);
    for (const [identity, opened] of this.#mirrors) {
      using _turn = await this.#lock(identity).acquire(neverAborts());
      const mirror = await opened;
      // Without a checkout it serves no job; the next one opens it again.
      if (this.#isCheckedOut(identity)) await mirror.markUsed();
      else await this.#leave(identity, mirror);
    }
  }

  #lock(identity: string): FifoLock {
    const lock = this.#locks.get(identity) ?? new FifoLock();
    this.#locks.set(identity, lock);
    return lock;
  }

  #isCheckedOut(identity: string): boolean {
    return [...this.#checkouts].some(({ checkout }) => checkout.identity === identity);
  }

  async #leave(identity: string, mirror: RepositoryMirror): Promise<void> {
    this.#mirrors.delete(identity);
    await mirror[Symbol.asyncDispose]();
  }

  /** The mirror; a new one, without the checkouts of the old, if that was removed under our hands. */
  async #presentMirror(wanted: WantedCommit, signal: AbortSignal): Promise<RepositoryMirror> {
    const mirror = await this.#mirror(wanted, signal);
    if (!mirror.isGone) return mirror;
    const { identity } = wanted;
    for (const known of [...this.#checkouts].filter(({ checkout }) => checkout.identity === identity)) {
      this.#checkouts.delete(known);
      // One in use is removed with the worker.
      if (known.users === 0) await this.#remove(known);
    }
    await this.#leave(identity, mirror);
    return this.#mirror(wanted, signal);
  }

  #mirror({ identity, remote }: WantedCommit, signal: AbortSignal): Promise<RepositoryMirror> {
    const known = this.#mirrors.get(identity);
    if (known) return known;
    const { cache, env } = this.#options;
    const directory = join(cachePlaces.mirrors(cache), workspaceKey(identity));
    const opened = RepositoryMirror.open({ directory, remote, env }, signal);
    this.#mirrors.set(identity, opened);
    opened.catch(() => this.#mirrors.delete(identity));
    return opened;
  }

  async #nearest(
    { identity, commit }: WantedCommit,
    signal: AbortSignal,
  ): Promise<{ readonly known: KnownCheckout; readonly distance: number } | undefined> {
    const candidates = await Promise.all(
      [...this.#checkouts]
        .filter(({ checkout }) => checkout.identity === identity)
        .map(async (known) => ({ known, distance: await this.#distance(known.checkout, commit, signal) })),
    );
    const near = candidates.flatMap(({ known, distance }) =>
      distance === undefined ? [] : [{ known, distance }],
    );
    return near.sort((one, other) => one.distance - other.distance)[0];
  }

  async #distance(checkout: Checkout, commit: string, signal: AbortSignal): Promise<number | undefined> {
    if (checkout.commit === commit) return 0;
    const key = `${checkout.commit} ${commit}`;
    if (this.#distances.has(key)) return this.#distances.get(key);
    const changes = await checkout.mirror.changes({ from: checkout.commit, to: commit }, signal);
    const isNear = changes.length <= nearFiles && !changes.some(({ path }) => isDependencyFile(path));
    const distance = isNear ? Math.max(changes.length, 1) : undefined;
    this.#distances.set(key, distance);
    return distance;
  }

  async #make(mirror: RepositoryMirror, wanted: WantedCommit, signal: AbortSignal): Promise<KnownCheckout> {
    await this.#makeRoom(signal);
    const { identity, commit } = wanted;
    const top = join(this.#directory, `${workspaceKey(identity, commit)}-${randomUUID().slice(0, 8)}`);
    try {
      await mirror.checkOut(commit, top, signal);
      const git = await GitRepository.at(top, this.#options.env, signal);
      const checkout = { identity, top, commit, git, mirror };
      await this.#options.prepare(checkout, signal);
      const known: KnownCheckout = { checkout, users: 0, usedAt: performance.now() };
      this.#checkouts.add(known);
      return known;
    } catch (thrown) {
      await removeTree(top);
      throw thrown;
    }
  }

  async #remove({ checkout }: KnownCheckout): Promise<void> {
    await this.#options.close(checkout);
    await removeTree(checkout.top);
  }

  /** Removes the checkouts that were used least recently. If all are in use, there is one more for a while. */
  async #makeRoom(signal: AbortSignal): Promise<void> {
    const idle = [...this.#checkouts].filter(({ users }) => users === 0);
    idle.sort((one, other) => one.usedAt - other.usedAt);
    const surplus = this.#checkouts.size + 1 - this.#options.limit;
    for (const known of idle.slice(0, Math.max(surplus, 0))) {
      if (known.users > 0) continue;
      this.#checkouts.delete(known);
      await this.#remove(known);
      await (await this.#mirrors.get(known.checkout.identity))?.prune(signal);
    }
  }
}

function leaseOf(known: KnownCheckout, warmth: Warmth): CheckoutLease {
  known.users += 1;
  let isHeld = true;
  return {
    checkout: known.checkout,
    warmth,
    [Symbol.dispose]: () => {
      if (!isHeld) return;
      isHeld = false;
      known.users -= 1;
      known.usedAt = performance.now();
    },
  };
}

/** Files that say which packages a program uses: where they differ, what is installed may have to differ too. */
export function isDependencyFile(path: string): boolean {
  return dependencyFile.test(path.slice(path.lastIndexOf('/') + 1));
}

const dependencyFile =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|pnpm-workspace\.yaml|bun\.lockb?|\.npmrc|\.yarnrc(?:\.yml)?|Cargo\.(?:toml|lock)|go\.(?:mod|sum|work)|pyproject\.toml|requirements.*\.txt|(?:poetry|uv|Pipfile)\.lock|Pipfile|setup\.(?:py|cfg)|Gemfile(?:\.lock)?|composer\.(?:json|lock)|pom\.xml|build\.gradle(?:\.kts)?|.*\.csproj|.*\.lockfile|compile_commands\.json|\.gitmodules|\.gitattributes)$/;

/** Checkouts of workers of this machine that have ended without removing them. */
async function removeAbandoned(home: string): Promise<void> {
  for (const name of await readdir(home))
    if (isOwnerRunning(name) === false) await removeTree(join(home, name));
}
