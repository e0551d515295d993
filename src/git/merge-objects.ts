/**
 * Merges made in a scratch object directory.
 *
 * Invariants: nothing is written to the repository: new objects lie in a scratch directory, which disposal removes.
 * Nothing that the repository configures is executed: a merge driver of its own is replaced by git's text merge.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { Failure } from '../base/failure.ts';
import type { LayerEntry } from '../overlay/overlay.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import { encodeContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { GitFailed, GitRepository } from './git-repository.ts';

export type MergeOutcome =
  | { readonly kind: 'merged'; readonly commit: string }
  /** The paths at which the two texts cannot be merged. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

export class MergeObjects implements AsyncDisposable {
  /** The repository together with the merges made here. */
  readonly repository: GitRepository;
  readonly #scratch: string;
  #files = 0;

  private constructor(repository: GitRepository, scratch: string) {
    this.repository = repository;
    this.#scratch = scratch;
  }

  static open(repository: GitRepository): Promise<MergeObjects> {
    return MergeObjects.#in(async (scratch) => {
      const objects = join(scratch, 'objects');
      await mkdir(objects);
      return repository.quarantined(objects);
    });
  }

  /** A history of its own, for the files of a directory that need not be in a repository. */
  static apart(top: string, env: Environment, signal: AbortSignal): Promise<MergeObjects> {
    return MergeObjects.#in((scratch) =>
      GitRepository.apart(join(scratch, 'repository'), { top, env }, signal),
    );
  }

  static async #in(repositoryIn: (scratch: string) => Promise<GitRepository>): Promise<MergeObjects> {
    const scratch = await mkdtemp(join(tmpdir(), 'forerun-merge-'));
    try {
      return new MergeObjects(await repositoryIn(scratch), scratch);
    } catch (thrown) {
      await rm(scratch, { recursive: true, force: true });
      throw thrown;
    }
  }

  /** Merges two commits, as `git merge` would. */
  async merge(ours: string, theirs: string, signal: AbortSignal): Promise<MergeOutcome> {
    const words = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs] as const;
    const { code, stdout, stderr } = await this.repository.answer([...words], {}, signal);
    const [tree = '', ...paths] = stdout.split('\0').filter((part) => part !== '');
    if (code === 1) return { kind: 'conflict', paths: [...new Set(paths)].sort() };
    if (code !== 0) throw new MergeFailed(stderr.trim().split('\n', 1)[0] ?? '');
    return { kind: 'merged', commit: await this.#commit(tree, [ours, theirs], signal) };
  }

  /**
   * A commit on `parent` that changes these paths, counted from the top of the repository; without a parent, the commit
   * that begins a history. A content without a mode keeps the mode that the path has in the parent.
   */
  async commitOf(
    parent: string | undefined,
    entries: readonly (readonly [path: string, entry: LayerEntry])[],
    signal: AbortSignal,
  ): Promise<string> {
    const index = { GIT_INDEX_FILE: join(this.#scratch, `index-${this.#files++}`) };
    await this.#write(
      parent === undefined ? ['read-tree', '--empty'] : ['read-tree', parent],
      { env: index },
      signal,
    );
    const contents = entries.flatMap(([path, entry]) =>
      entry === 'removed' ? [] : [{ path, content: entry }],
    );
    const [blobs, executable] = await Promise.all([
      this.#blobs(
        contents.map(({ content }) => content),
        signal,
      ),
      parent === undefined ? new Set<string>() : this.#executables(parent, contents, signal),
    ]);
    // As many zeros as an id has digits stand for no object.
    const none = '0'.repeat(parent?.length ?? 0);
    const lines: string[] = [];
    let blob = 0;
    for (const [path, entry] of entries) {
      // A removed directory is one entry of an overlay; git lists its files.
      if (entry === 'removed') lines.push(...(await this.#removal(path, { index, none }, signal)));
      else lines.push(`${modeOf(entry, executable.has(path))} ${blobs[blob++]}\t${path}\0`);
    }
    await this.#write(['update-index', '-z', '--index-info'], { env: index, input: lines.join('') }, signal);
    const tree = (await this.#write(['write-tree'], { env: index }, signal)).trim();
    return this.#commit(tree, parent === undefined ? [] : [parent], signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#scratch, { recursive: true, force: true });
  }

  async #removal(
    path: string,
    { index, none }: { readonly index: Readonly<Record<string, string>>; readonly none: string },
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const words = ['ls-files', '--cached', '-z', '--', `:(literal,top)${path}`] as const;
    const listed = await this.#write([...words], { env: index }, signal);
    return listed.split('\0').flatMap((file) => (file === '' ? [] : [`0 ${none}\t${file}\0`]));
  }

  /** The ids of contents, in their order. */
  async #blobs(contents: readonly FileContent[], signal: AbortSignal): Promise<readonly string[]> {
    if (contents.length === 0) return [];
    const files = await mapConcurrently(contents, 16, async (content) => {
      const file = join(this.#scratch, `file-${this.#files++}`);
      await writeFile(file, content.kind === 'symlink' ? content.target : encodeContent(content));
      return file;
    });
    const words = ['hash-object', '-w', '--no-filters', '--stdin-paths'] as const;
    const written = await this.#write([...words], { input: `${files.join('\n')}\n` }, signal);
    await Promise.all(files.map((file) => rm(file)));
    return written.trim().split('\n');
  }

  /** The paths among those without a mode that are executable in a commit. */
  async #executables(
    commit: string,
    contents: readonly { readonly path: string; readonly content: FileContent }[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    if (contents.every(({ content }) => content.kind === 'symlink' || content.mode !== undefined))
      return new Set();
    const listed = await this.#write(['ls-tree', '-r', '-z', commit], {}, signal);
    const lines = listed.split('\0').filter((line) => line.startsWith('100755 '));
    return new Set(lines.map((line) => line.slice(line.indexOf('\t') + 1)));
  }

  async #commit(tree: string, parents: readonly string[], signal: AbortSignal): Promise<string> {
    const words = [
      'commit-tree',
      tree,
      ...parents.flatMap((parent) => ['-p', parent]),
      '-m',
      'merge',
    ] as const;
    return (await this.#write([...words], { env: author }, signal)).trim();
  }

  async #write(
    words: Parameters<GitRepository['answer']>[0],
    options: Parameters<GitRepository['answer']>[1],
    signal: AbortSignal,
  ): Promise<string> {
    const { code, stdout, stderr } = await this.repository.answer(words, options, signal);
    if (code !== 0)
      throw new GitFailed(stderr.trim().split('\n', 1)[0] || `${words[0]} ended with code ${code}`);
    return stdout;
  }
}

/** Commits made here are seen by no user; git requires an author. With a fixed time, equal states are one commit. */
const author = {
  GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
  GIT_AUTHOR_NAME: 'forerun',
  GIT_AUTHOR_EMAIL: 'forerun@localhost',
  GIT_COMMITTER_NAME: 'forerun',
  GIT_COMMITTER_EMAIL: 'forerun@localhost',
};

function modeOf(content: FileContent, wasExecutable: boolean): string {
  if (content.kind === 'symlink') return '120000';
  const isExecutable = content.mode === undefined ? wasExecutable : (content.mode & 0o111) !== 0;
  return isExecutable ? '100755' : '100644';
}

export class MergeFailed extends Failure {
  readonly code = 'git/merge-failed';
  readonly remedy = 'Merging without a checkout needs git 2.38 or later, and histories with a common commit.';

  constructor(said: string) {
    super(`git could not merge: ${said}`);
  }
}
