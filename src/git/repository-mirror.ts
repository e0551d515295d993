/**
 * A bare copy of a remote repository, and checkouts of single commits beside it.
 *
 * Invariants: nothing that the repository configures is executed: no hook, no filter, no submodule. A checkout has
 * exactly the files of its commit, as git stores them. Only commits are fetched that a caller names by their id. What a
 * killed git has locked in a mirror blocks no other.
 */
import { mkdir, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../base/environment.ts';
import { Failure } from '../base/failure.ts';
import { type GitRun, leadsElsewhere, runFetch, runGit } from '../process/git-command.ts';
import type { CommandResult } from '../process/run-command.ts';
import { isAtOrBelow } from '../workspace/real-path.ts';

export interface MirrorOptions {
  /** Where the bare repository lies; created if it is missing. */
  readonly directory: string;
  /** The remote: an address, or a directory of this machine. */
  readonly remote: string;
  readonly env: Environment;
}

export class RepositoryMirror {
  readonly #options: MirrorOptions;
  readonly #env: NodeJS.ProcessEnv;
  #fetching: Promise<unknown> = Promise.resolve();

  private constructor(options: MirrorOptions) {
    this.#options = options;
    const own = Object.entries(options.env).filter(([name]) => !leadsElsewhere(name));
    this.#env = { ...Object.fromEntries(own), ...checkedObjects, GIT_DIR: options.directory };
  }

  static async open(options: MirrorOptions, signal: AbortSignal): Promise<RepositoryMirror> {
    const mirror = new RepositoryMirror(options);
    await mkdir(options.directory, { recursive: true });
    await mirror.#done(['init', '--quiet', '--bare', '--template='], signal);
    return mirror;
  }

  /** Fetches a commit unless it is here already. Fetches of one mirror are made one after the other. */
  async require(commit: string, signal: AbortSignal): Promise<void> {
    if (!isCommitId(commit)) throw new CommitNotFound(commit, 'it is not the id of a commit');
    const before = this.#fetching;
    const mine = before.catch(() => undefined).then(() => this.#fetch(commit, signal));
    this.#fetching = mine.catch(() => undefined);
    await mine;
  }

  async #fetch(commit: string, signal: AbortSignal): Promise<void> {
    if (await this.#has(commit, signal)) return;
    // The reference keeps the objects: nothing else in the mirror names them.
    const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
    const wanted = [this.#options.remote, `+${commit}:refs/forerun/${commit}`];
    const run = this.#run([...words, '--end-of-options', ...wanted]);
    const fetched = await this.#unblocked(() => runFetch(run, signal), signal);
    if (fetched.code === 0 && (await this.#has(commit, signal))) return;
    throw new CommitNotFound(commit, whyNot(fetched));
  }

  /** Makes a checkout of a commit that was fetched. The directory must not exist. */
  async checkOut(commit: string, directory: string, signal: AbortSignal): Promise<void> {
    await this.#done(['worktree', 'add', '--quiet', '--force', '--detach', directory, commit], signal);
  }

  /** Forgets checkouts whose directories were removed. */
  async prune(signal: AbortSignal): Promise<void> {
    await this.#done(['worktree', 'prune'], signal);
  }

  async #has(commit: string, signal: AbortSignal): Promise<boolean> {
    const { code } = await runGit(this.#run(['cat-file', '-e', `${commit}^{commit}`]), signal);
    return code === 0;
  }

  async #done(words: GitRun['words'], signal: AbortSignal): Promise<void> {
    const result = await this.#unblocked(() => runGit(this.#run(words), signal), signal);
    if (result.code !== 0) throw new MirrorFailed(`git ${words[0]} failed: ${whyNot(result)}`);
  }

  /** Runs git, again if it meets a lock of a git that was killed. Others are held for milliseconds. */
  async #unblocked(run: () => Promise<CommandResult>, signal: AbortSignal): Promise<CommandResult> {
    let result = await run();
    for (let attempt = 0; result.code !== 0 && attempt < maxStaleLocks; attempt += 1) {
      const file = lockIn(result.stderr);
      if (file === undefined || !isAtOrBelow(file, this.#options.directory)) return result;
      if ((await stateAfter(file, staleAfterMs, signal)) === 'unchanged') await rm(file, { force: true });
      result = await run();
    }
    return result;
  }

  #run(words: readonly string[]): GitRun {
    const [subcommand = '', ...rest] = words;
    const { directory } = this.#options;
    return { words: [subcommand, ...rest], directory, env: this.#env, ...limits };
  }
}

/** Whether the text is a full id, of SHA-1 or SHA-256. */
export function isCommitId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** Objects are checked while they are fetched, as if the configuration of the mirror said so. */
const checkedObjects = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'transfer.fsckObjects',
  GIT_CONFIG_VALUE_0: 'true',
} as const;

/** The lock that git says it cannot take. */
function lockIn(said: string): string | undefined {
  const [, file, config] =
    /'(\/[^'\n]+\.lock)': File exists|could not lock config file (\/[^\n]+): File exists/.exec(said) ?? [];
  return file ?? (config === undefined ? undefined : `${config}.lock`);
}

/** Whether a file is the same after so long; it is looked at more often, to wait no longer than it exists. */
async function stateAfter(file: string, ms: number, signal: AbortSignal): Promise<'unchanged' | 'changed'> {
  const identity = async () => {
    const found = await stat(file).catch(() => undefined);
    return found && `${found.ino} ${found.mtimeMs} ${found.size}`;
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
