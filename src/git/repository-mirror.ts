/**
 * A bare copy of a remote repository, and checkouts of single commits beside it.
 *
 * Invariants: nothing that the repository configures is executed: no hook, no filter, no submodule. A checkout has
 * exactly the files of its commit, as git stores them. Only commits are fetched that a caller names by their id.
 */
import { mkdir } from 'node:fs/promises';
import type { Environment } from '../base/environment.ts';
import { Failure } from '../base/failure.ts';
import { type GitRun, leadsElsewhere, runFetch, runGit } from '../process/git-command.ts';
import type { CommandResult } from '../process/run-command.ts';

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
    const fetched = await runFetch(run, signal);
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
    const result = await runGit(this.#run(words), signal);
    if (result.code !== 0) throw new MirrorFailed(`git ${words[0]} failed: ${whyNot(result)}`);
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
