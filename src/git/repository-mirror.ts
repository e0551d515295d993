/**
 * A bare copy of a remote repository, and checkouts of single commits beside it.
 *
 * Invariants: nothing that the repository configures is executed: no hook, no filter, no submodule. A checkout has
 * exactly the files of its commit, as git stores them. Only commits are fetched that a caller names by their id. What a
 * killed git has locked in a mirror blocks no other. Of commits that are here, nothing is asked twice, and no git process
 * is started for them; disposing the mirror ends the one that reads its objects.
 */
import { mkdirSync } from 'node:fs';
import { mkdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { abortable } from '../base/deadline.ts';
import type { Environment } from '../base/environment.ts';
import { Failure } from '../base/failure.ts';
import { neverAborts } from '../base/never-aborts.ts';
import { FileLock } from '../process/file-lock.ts';
import { type GitRun, leadsElsewhere, runFetch, runGit } from '../process/git-command.ts';
import type { CommandResult } from '../process/run-command.ts';
import { statOf } from '../workspace/disk-state.ts';
import { isAtOrBelow } from '../workspace/real-path.ts';
import { BlobCache } from './blob-cache.ts';
import type { RawChange } from './file-state.ts';
import { GitFailed } from './git-repository.ts';
import { GitSettings } from './git-settings.ts';
import { isObjectId } from './object-id.ts';
import { type GitObject, ObjectReader } from './object-reader.ts';
import { treeDifference } from './tree-difference.ts';

export interface MirrorOptions {
  /** Where the bare repository lies; created if it is missing. */
  readonly directory: string;
  /** The remote: an address, or a directory of this machine. */
  readonly remote: string;
  readonly env: Environment;
}

/** How many differences between commits are kept. */
const keptDifferences = 32;

export class RepositoryMirror implements AsyncDisposable {
  readonly #options: MirrorOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #settings: GitSettings;
  readonly #objects: ObjectReader;
  /** Commits that were seen here; nothing removes an object from a mirror in use. */
  readonly #present = new Set<string>();
  readonly #differences = new Map<string, Promise<readonly RawChange[]>>();
  readonly #blobs = new BlobCache();
  #fetching: Promise<unknown> = Promise.resolve();

  private constructor(options: MirrorOptions) {
    this.#options = options;
    const own = Object.entries(options.env).filter(([name]) => !leadsElsewhere(name));
    const { directory } = options;
    this.#env = { ...Object.fromEntries(own), ...checkedObjects, GIT_DIR: directory };
    this.#settings = new GitSettings({ directory, env: this.#env, files: [join(directory, 'config')] });
    this.#objects = new ObjectReader(directory, this.#env);
  }

  static async open(options: MirrorOptions, signal: AbortSignal): Promise<RepositoryMirror> {
    const mirror = new RepositoryMirror(options);
    await mkdir(options.directory, { recursive: true });
    await mirror.#done(['init', '--quiet', '--bare', '--template='], signal);
    await mirror.markUsed();
    return mirror;
  }

  /** Whether another program has removed it. */
  get isGone(): boolean {
    return statOf(join(this.#options.directory, 'HEAD')) === undefined;
  }

  /** Dates it, for those who remove mirrors that were not used for long. */
  async markUsed(): Promise<void> {
    const now = new Date();
    await utimes(this.#options.directory, now, now);
  }

  /** Fetches a commit unless it is here already. Fetches of one mirror are made one after the other. */
  async require(commit: string, signal: AbortSignal): Promise<void> {
    if (!isObjectId(commit)) throw new CommitNotFound(commit, 'it is not the id of a commit');
    if (await this.#has(commit, signal)) return;
    const before = this.#fetching;
    const mine = before.catch(() => undefined).then(() => this.#fetch(commit, signal));
    this.#fetching = mine.catch(() => undefined);
    await mine;
  }

  async #fetch(commit: string, signal: AbortSignal): Promise<void> {
    // A git that finds objects of a fetch that is under way takes them for whole histories.
    using _turn = await this.#turn(signal);
    if (await this.#has(commit, signal)) return;
    // The reference keeps the objects: nothing else in the mirror names them.
    const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
    const wanted = [this.#options.remote, `+${commit}:${mirrorReference(commit)}`];
    const run = await this.#run([...words, '--end-of-options', ...wanted], signal);
    const fetched = await this.#unblocked(() => runFetch(run, signal), signal);
    if (fetched.code === 0 && (await this.#has(commit, signal))) return;
    throw new CommitNotFound(commit, whyNot(fetched));
  }

  /** The files that differ between two commits that were fetched. */
  changes(
    pair: { readonly from: string; readonly to: string },
    signal: AbortSignal,
  ): Promise<readonly RawChange[]> {
    const key = `${pair.from} ${pair.to}`;
    const known = this.#differences.get(key) ?? treeDifference(this.#objects, pair, neverAborts());
    // The order of a Map is that of insertion: used last, removed last.
    this.#differences.delete(key);
    this.#differences.set(key, known);
    known.catch(() => this.#differences.delete(key));
    const [oldest] = this.#differences.keys();
    if (oldest !== undefined && this.#differences.size > keptDifferences) this.#differences.delete(oldest);
    return abortable(known, signal);
  }

  /** The contents of blobs by their ids. */
  async blobs(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = this.#blobs.found(ids);
    const wanted = [...new Set(ids)].filter((id) => !found.has(id));
    const objects = await this.#objects.read(wanted, signal);
    const read = new Map(wanted.map((id, index) => [id, blobBytes(id, objects[index])]));
    this.#blobs.keep(read);
    return new Map([...found, ...read]);
  }

  /** Makes a checkout of a commit that was fetched. The directory must not exist. */
  async checkOut(commit: string, directory: string, signal: AbortSignal): Promise<void> {
    await this.#done(['worktree', 'add', '--quiet', '--force', '--detach', directory, commit], signal);
  }

  /** Forgets checkouts whose directories were removed. */
  async prune(signal: AbortSignal): Promise<void> {
    await this.#done(['worktree', 'prune'], signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#objects[Symbol.asyncDispose]();
  }

  /** Whether all of a commit is here. Its reference says so: while it is fetched, some of its objects may be here alone. */
  async #has(commit: string, signal: AbortSignal): Promise<boolean> {
    if (this.#present.has(commit)) return true;
    if (statOf(join(this.#options.directory, mirrorReference(commit)))?.isFile() !== true) return false;
    const [object] = await this.#objects.read([commit], signal);
    if (object?.kind !== 'commit') return false;
    this.#present.add(commit);
    return true;
  }

  async #done(words: GitRun['words'], signal: AbortSignal): Promise<void> {
    const run = await this.#run(words, signal);
    const result = await this.#unblocked(() => runGit(run, signal), signal);
    if (result.code !== 0) throw new MirrorFailed(`git ${words[0]} failed: ${whyNot(result)}`);
  }

  /** Runs git, again if it meets a lock or a half-made checkout: of a git that was killed, or of one that runs. */
  async #unblocked(run: () => Promise<CommandResult>, signal: AbortSignal): Promise<CommandResult> {
    let result = await run();
    for (let attempt = 0; result.code !== 0 && attempt < maxStaleLocks; attempt += 1) {
      const obstacle = obstacleIn(result.stderr);
      if (obstacle === undefined || !isAtOrBelow(obstacle.file, this.#options.directory)) return result;
      if ((await stateAfter(obstacle, staleAfterMs, signal)) === 'unchanged')
        await rm(obstacle.remove, { recursive: true, force: true });
      result = await run();
    }
    return result;
  }

  /** Only one worker of this machine fetches into a mirror at a time. */
  #turn(signal: AbortSignal): Promise<FileLock> {
    const { directory } = this.#options;
    const makeDirectory = () => mkdirSync(directory, { recursive: true });
    return FileLock.acquire({ file: join(directory, 'forerun.lock'), makeDirectory }, signal);
  }

  async #run(words: readonly string[], signal: AbortSignal): Promise<GitRun> {
    const [subcommand = '', ...rest] = words;
    const { directory } = this.#options;
    const { overrides } = await this.#settings.current(signal);
    return { words: [subcommand, ...rest], directory, env: this.#env, overrides, ...limits };
  }
}

function mirrorReference(commit: string): string {
  return `refs/forerun/${commit}`;
}

function blobBytes(id: string, object: GitObject | undefined): Uint8Array {
  if (object?.kind !== 'blob') throw new GitFailed(`object ${id} is not in this clone`);
  return object.bytes;
}

/** Objects are checked while they are fetched, as if the configuration of the mirror said so. */
const checkedObjects = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'transfer.fsckObjects',
  GIT_CONFIG_VALUE_0: 'true',
} as const;

/** A file that keeps git from going on for as long as it is there, or for as long as it is empty. */
interface Obstacle {
  readonly file: string;
  readonly while: 'there' | 'empty';
  /** What to remove if its owner was killed. */
  readonly remove: string;
}

/** The lock that git says it cannot take, or the checkout whose description another git has only begun to write. */
function obstacleIn(said: string): Obstacle | undefined {
  const [, lock, config, begun] =
    /'(\/[^'\n]+\.lock)': File exists|could not lock config file (\/[^\n]+): File exists|failed to read (\/[^\n]+\/worktrees\/[^/\n]+)\/commondir/.exec(
      said,
    ) ?? [];
  if (begun !== undefined) return { file: `${begun}/commondir`, while: 'empty', remove: begun };
  const file = lock ?? (config === undefined ? undefined : `${config}.lock`);
  return file === undefined ? undefined : { file, while: 'there', remove: file };
}

/** Whether an obstacle is the same after so long; it is looked at more often, to wait no longer than it lasts. */
async function stateAfter(
  { file, while: lasts }: Obstacle,
  ms: number,
  signal: AbortSignal,
): Promise<'unchanged' | 'changed'> {
  const identity = async () => {
    const found = await stat(file).catch(() => undefined);
    const isOver = found === undefined || (lasts === 'empty' && found.size > 0);
    return isOver ? undefined : `${found.ino} ${found.mtimeMs} ${found.size}`;
  };
  const first = await identity();
  for (let waited = 0; first !== undefined && waited < ms; waited += 100) {
    await delay(100, undefined, { signal });
    if ((await identity()) !== first) return 'changed';
  }
  return first === undefined ? 'changed' : 'unchanged';
}

/** A lock that no git has touched for so long belongs to one that was killed. */
const staleAfterMs = 3000;

/** A killed git leaves a few at most; several workers may meet one another besides. */
const maxStaleLocks = 8;

const limits = { timeoutMs: 10 * 60_000, maxOutputBytes: 2 ** 20 };

function whyNot({ stderr, timedOut, code }: CommandResult): string {
  if (timedOut) return `no answer within ${limits.timeoutMs / 1000} s`;
  return stderr.trim().split('\n').at(-1) || `git ended with code ${code}`;
}

export class CommitNotFound extends Failure {
  readonly code = 'git/commit-not-found';
  readonly remedy = 'Push the commit to the remote, and let the worker read that remote.';

  constructor(commit: string, why: string) {
    super(`commit ${commit} cannot be fetched: ${why}`);
  }
}

class MirrorFailed extends Failure {
  readonly code = 'git/mirror-failed';
  readonly remedy = 'Free space in the directory of the worker, or remove the mirror; it is fetched again.';
}
