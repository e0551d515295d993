/**
 * Changes the index of a repository and commits it.
 *
 * Invariants: programs that the repository configures (filters, hooks, signing) run only if it is trusted. Without trust a
 * file that a filter would convert is refused, because its content would reach the index unconverted; a commit is made
 * without hooks, and its answer says so. No file of the working tree is written here.
 */
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../base/failure.ts';
import { runTrustedGit } from '../process/git-command.ts';
import type { CommandResult } from '../process/run-command.ts';
import { decodeContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { Trust } from '../workspace/trust.ts';
import { entriesAt, entriesInIndex, filteredPaths, hooksDirectory } from './git-entry.ts';
import { GitFailed, type GitRepository } from './git-repository.ts';

export interface GitIndexOptions {
  readonly repository: GitRepository;
  /** The environment of the user, for programs of a trusted repository. */
  readonly env: NodeJS.ProcessEnv;
  /** Whether programs of the repository may run, as of now. */
  readonly trust: () => Trust;
}

export interface MadeCommit {
  readonly commit: string;
  /** `withheld`: the repository has hooks, and they did not run because it is not trusted. */
  readonly hooks: 'none' | 'ran' | 'withheld';
}

/** Hooks that git runs for a commit. */
const commitHooks = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];

/** A hook may run the tests of the project. */
const hookTimeoutMs = 600_000;

export class GitIndex {
  readonly #repository: GitRepository;
  readonly #options: GitIndexOptions;

  constructor(options: GitIndexOptions) {
    this.#repository = options.repository;
    this.#options = options;
  }

  /** Takes files as they are on disk into the index; those that are gone are removed from it. Paths are from the top. */
  async stage(paths: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#requireConvertible(paths, signal);
    const words = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'] as const;
    this.#requireDone(await this.#run([...words], { input: paths.map(terminated).join('') }, signal));
  }

  /** The index has these files as the last commit has them. */
  async unstage(paths: readonly string[], signal: AbortSignal): Promise<void> {
    const head = await this.#repository.head(signal);
    const entries = await entriesAt(this.#repository, { tree: head, paths }, signal);
    const none = `0 ${'0'.repeat(head.length)}`;
    const lines = paths.map((path) => {
      const entry = entries.get(path);
      return `${entry === undefined ? none : `${entry.mode} ${entry.blob}`}\t${path}\0`;
    });
    const words = ['update-index', '-z', '--index-info'] as const;
    this.#requireDone(await this.#repository.answer([...words], { input: lines.join('') }, signal));
  }

  /** Commits what is staged. */
  async commit(message: string, signal: AbortSignal): Promise<MadeCommit> {
    const isTrusted = this.#options.trust() === 'trusted';
    const present = await this.hooks(signal);
    const plain = isTrusted ? [] : ['--no-verify', '--no-gpg-sign'];
    const words = ['commit', '--quiet', '--no-status', '--cleanup=strip', ...plain, '-F', '-'] as const;
    const before = await this.#repository.commitOf('HEAD', signal);
    const result = await this.#run([...words], { input: message }, signal);
    const commit = await this.#repository.commitOf('HEAD', signal);
    if (result.code !== 0 || commit === undefined || commit === before) throw new CommitRefused(result);
    return { commit, hooks: present.length === 0 ? 'none' : isTrusted ? 'ran' : 'withheld' };
  }

  /** The names of the hooks that a commit would run. */
  async hooks(signal: AbortSignal): Promise<readonly string[]> {
    const directory = await hooksDirectory(this.#repository, signal);
    const found = commitHooks.map(async (name) => {
      const isThere = await access(join(directory, name), constants.X_OK).then(
        () => true,
        () => false,
      );
      return isThere ? [name] : [];
    });
    return (await Promise.all(found)).flat();
  }

  /** The content that the working tree has for a file of the index; undefined if the index has no such file. */
  async checkedOut(path: string, signal: AbortSignal): Promise<FileContent | undefined> {
    const entry = (await entriesInIndex(this.#repository, [path], signal)).get(path);
    if (entry === undefined) return undefined;
    await this.#requireConvertible([path], signal);
    const { blob } = entry;
    const bytes = await this.#repository.checkedOut({ blob, path }, this.#trustedEnvironment(), signal);
    if (entry.mode === '120000') return { kind: 'symlink', target: Buffer.from(bytes).toString('utf8') };
    const content = decodeContent(bytes);
    return entry.mode === '100755' && content.kind !== 'symlink' ? { ...content, mode: 0o755 } : content;
  }

  async #requireConvertible(paths: readonly string[], signal: AbortSignal): Promise<void> {
    if (this.#options.trust() === 'trusted') return;
    const filtered = await filteredPaths(this.#repository, paths, signal);
    if (filtered.length > 0) throw new FilterWithheld(filtered);
  }

  #trustedEnvironment(): NodeJS.ProcessEnv | undefined {
    return this.#options.trust() === 'trusted' ? this.#options.env : undefined;
  }

  #run(
    words: readonly [string, ...string[]],
    { input }: { readonly input: string },
    signal: AbortSignal,
  ): Promise<CommandResult> {
    const env = this.#trustedEnvironment();
    if (env === undefined) return this.#repository.answer(words, { input }, signal);
    const limits = { timeoutMs: hookTimeoutMs, maxOutputBytes: 2 ** 20 };
    return runTrustedGit({ words, directory: this.#repository.top, env, input, ...limits }, signal);
  }

  #requireDone({ code, stderr }: CommandResult): void {
    if (code !== 0) throw new GitFailed(stderr.trim().split('\n', 1)[0] || 'the index was not changed');
  }
}

function terminated(path: string): string {
  return `${path}\0`;
}

/** A file whose content in the repository is made by a program of the repository. */
export class FilterWithheld extends Failure {
  readonly code = 'git/filter-withheld';
  readonly remedy = 'Trust this folder first (forerun trust), or use git itself for these files.';

  constructor(paths: readonly string[]) {
    super(`a filter converts ${paths.join(', ')}, and filters do not run in a folder that is not trusted`);
  }
}

export class CommitRefused extends Failure {
  readonly code = 'git/commit-refused';
  readonly remedy: string;

  constructor({ stdout, stderr, timedOut }: CommandResult) {
    const said = [stderr.trim(), stdout.trim()].filter((text) => text !== '').join('\n');
    const isNameless = /user\.(name|email)|identity/i.test(said);
    super(
      timedOut
        ? 'nothing was committed: a hook did not end in time'
        : `nothing was committed: ${said.slice(0, 2000) || 'git gave no reason'}`,
    );
    this.remedy = isNameless
      ? 'Tell git who you are: git config --global user.name and user.email.'
      : 'Correct what git or its hook names, then commit again.';
  }
}
