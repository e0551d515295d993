/**
 * The checkouts of a worker: for each repository a bare mirror, and a few commits of it as directories that language
 * servers stay warm on.
 *
 * Invariants: a checkout in use is never removed or moved, and no file of it is ever changed. A job gets the checkout of
 * its own commit, or one that differs from it by few files, none of which says what the program depends on.
 */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { errnoOf } from '../base/errno.ts';
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

export interface SitesOptions {
  /** The cache directory of the user. */
  readonly cache: string;
  /** How many checkouts are kept. */
  readonly limit: number;
  readonly env: Environment;
  readonly log: Log;
  /** Ends the servers of a checkout that is about to be removed. */
  readonly close: (site: Site) => Promise<void>;
  /** Puts the dependencies of a new checkout in place. */
  readonly prepare: (site: Site, signal: AbortSignal) => Promise<void>;
}

export interface Site {
  readonly identity: string;
  /** The directory of the checkout. */
  readonly top: string;
  readonly commit: string;
  readonly git: GitRepository;
}

export interface SiteLease extends Disposable {
  readonly site: Site;
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

interface KnownSite {
  readonly site: Site;
  users: number;
  usedAt: number;
}

export class RepositorySites implements AsyncDisposable {
  readonly #options: SitesOptions;
  readonly #directory: string;
  readonly #mirrors = new Map<string, Promise<RepositoryMirror>>();
  readonly #sites = new Set<KnownSite>();
  readonly #locks = new Map<string, FifoLock>();
  /** How many files differ between two commits; undefined: too many, or not only sources. */
  readonly #distances = new Map<string, number | undefined>();

  private constructor(options: SitesOptions, directory: string) {
    this.#options = options;
    this.#directory = directory;
  }

  static async open(options: SitesOptions): Promise<RepositorySites> {
    const home = cachePlaces.checkouts(options.cache);
    makePrivateDirectory(home);
    await removeAbandoned(home);
    const directory = join(home, `${machineKey()}-${process.pid}-${randomUUID().slice(0, 8)}`);
    makePrivateDirectory(directory);
    return new RepositorySites(options, directory);
  }

  /** How many checkouts there are. */
  get count(): number {
    return this.#sites.size;
  }

  /** The checkout for a commit, made if there is none that serves; it stays until the lease ends. */
  async lease(wanted: WantedCommit, signal: AbortSignal): Promise<SiteLease> {
    const lock = this.#locks.get(wanted.identity) ?? new FifoLock();
    this.#locks.set(wanted.identity, lock);
    using _turn = await lock.acquire(signal);
    const mirror = await this.#mirror(wanted, signal);
    await mirror.require(wanted.commit, signal);
    const found = await this.#nearest(wanted, signal);
    if (found !== undefined) return leaseOf(found.known, found.distance === 0 ? 'warm' : 'near');
    return leaseOf(await this.#make(mirror, wanted, signal), 'cold');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await removeTree(this.#directory);
    const mirrors = await Promise.allSettled(this.#mirrors.values());
    for (const mirror of mirrors) {
      if (mirror.status === 'fulfilled')
        await mirror.value.prune(neverAborts()).catch(failureLogger(this.#options.log, 'queue.mirror-prune'));
    }
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
  ): Promise<{ readonly known: KnownSite; readonly distance: number } | undefined> {
    const candidates = await Promise.all(
      [...this.#sites]
        .filter(({ site }) => site.identity === identity)
        .map(async (known) => ({ known, distance: await this.#distance(known.site, commit, signal) })),
    );
    const near = candidates.flatMap(({ known, distance }) =>
      distance === undefined ? [] : [{ known, distance }],
    );
    return near.sort((one, other) => one.distance - other.distance)[0];
  }

  async #distance(site: Site, commit: string, signal: AbortSignal): Promise<number | undefined> {
    if (site.commit === commit) return 0;
    const key = `${site.commit} ${commit}`;
    if (this.#distances.has(key)) return this.#distances.get(key);
    const changes = await site.git.changesBetween(site.commit, commit, signal);
    const isNear = changes.length <= nearFiles && !changes.some(({ path }) => isDependencyFile(path));
    const distance = isNear ? Math.max(changes.length, 1) : undefined;
    this.#distances.set(key, distance);
    return distance;
  }

  async #make(mirror: RepositoryMirror, wanted: WantedCommit, signal: AbortSignal): Promise<KnownSite> {
    await this.#makeRoom(signal);
    const { identity, commit } = wanted;
    const top = join(this.#directory, `${workspaceKey(identity, commit)}-${randomUUID().slice(0, 8)}`);
    try {
      await mirror.checkOut(commit, top, signal);
      const git = await GitRepository.at(top, this.#options.env, signal);
      const site = { identity, top, commit, git };
      await this.#options.prepare(site, signal);
      const known: KnownSite = { site, users: 0, usedAt: performance.now() };
      this.#sites.add(known);
      return known;
    } catch (thrown) {
      await removeTree(top);
      throw thrown;
    }
  }

  /** Removes the checkouts that were used least recently. If all are in use, there is one more for a while. */
  async #makeRoom(signal: AbortSignal): Promise<void> {
    const idle = [...this.#sites].filter(({ users }) => users === 0);
    idle.sort((one, other) => one.usedAt - other.usedAt);
    const surplus = this.#sites.size + 1 - this.#options.limit;
    for (const known of idle.slice(0, Math.max(surplus, 0))) {
      this.#sites.delete(known);
      await this.#options.close(known.site);
      await removeTree(known.site.top);
      await (await this.#mirrors.get(known.site.identity))?.prune(signal);
    }
  }
}

function leaseOf(known: KnownSite, warmth: Warmth): SiteLease {
  known.users += 1;
  let isHeld = true;
  return {
    site: known.site,
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

/** Process ids are those of one machine. */
function machineKey(): string {
  return workspaceKey(hostname());
}

/** Checkouts of workers of this machine that have ended without removing them. */
async function removeAbandoned(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const [machine, pid] = name.split('-');
    if (machine === machineKey() && !isRunning(Number(pid))) await removeTree(join(home, name));
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return errnoOf(thrown) === 'EPERM';
  }
}
