/**
 * Merges made in a scratch object directory.
 *
 * Invariants: nothing is written to the repository: new objects lie in a scratch directory, which disposal removes.
 * Nothing that the repository configures is executed: a merge driver of its own is replaced by git's text merge.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../base/failure.ts';
import type { LayerEntry } from '../overlay/overlay.ts';
import { encodeContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { GitFailed, type GitRepository } from './git-repository.ts';

export type MergeOutcome =
  | { readonly kind: 'merged'; readonly commit: string }
  /** The paths at which the two texts cannot be merged. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

export class MergeObjects implements AsyncDisposable {
  /** The repository as it is with the merges made here. */
  readonly repository: GitRepository;
  readonly #scratch: string;
  #files = 0;

  private constructor(repository: GitRepository, scratch: string) {
    this.repository = repository;
    this.#scratch = scratch;
  }

  static async open(repository: GitRepository, signal: AbortSignal): Promise<MergeObjects> {
    const scratch = await mkdtemp(join(tmpdir(), 'forerun-merge-'));
    try {
      const objects = join(scratch, 'objects');
      await mkdir(objects);
      return new MergeObjects(await repository.quarantined(objects, signal), scratch);
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

  /** A commit on `parent` that changes these paths, counted from the top of the repository. */
  async commitOf(
    parent: string,
    entries: readonly (readonly [path: string, entry: LayerEntry])[],
    signal: AbortSignal,
  ): Promise<string> {
    const index = { GIT_INDEX_FILE: join(this.#scratch, `index-${this.#files++}`) };
    await this.#write(['read-tree', parent], { env: index }, signal);
    const lines: string[] = [];
    for (const [path, entry] of entries) {
      // A removed directory is one entry of an overlay; git lists its files.
      if (entry === 'removed')
        lines.push(...(await this.#removal(path, { index, none: '0'.repeat(parent.length) }, signal)));
      else lines.push(`${modeOf(entry)} ${await this.#blob(entry, signal)}\t${path}\0`);
    }
    await this.#write(['update-index', '-z', '--index-info'], { env: index, input: lines.join('') }, signal);
    const tree = (await this.#write(['write-tree'], { env: index }, signal)).trim();
    return this.#commit(tree, [parent], signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#scratch, { recursive: true, force: true });
  }

  /** `none` is the id that stands for no object. */
  async #removal(
    path: string,
    { index, none }: { readonly index: Readonly<Record<string, string>>; readonly none: string },
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const words = ['ls-files', '--cached', '-z', '--', `:(literal,top)${path}`] as const;
    const listed = await this.#write([...words], { env: index }, signal);
    return listed.split('\0').flatMap((file) => (file === '' ? [] : [`0 ${none}\t${file}\0`]));
  }

  async #blob(content: FileContent, signal: AbortSignal): Promise<string> {
    const file = join(this.#scratch, `file-${this.#files++}`);
    const bytes = content.kind === 'symlink' ? Buffer.from(content.target) : encodeContent(content);
    await writeFile(file, bytes);
    const written = await this.#write(['hash-object', '-w', '--no-filters', '--', file], {}, signal);
    return written.trim();
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

/** Commits made here are seen by no user; git asks for an author all the same. */
const author = {
  GIT_AUTHOR_NAME: 'forerun',
  GIT_AUTHOR_EMAIL: 'forerun@localhost',
  GIT_COMMITTER_NAME: 'forerun',
  GIT_COMMITTER_EMAIL: 'forerun@localhost',
};

function modeOf(content: FileContent): string {
  if (content.kind === 'symlink') return '120000';
  return content.mode !== undefined && (content.mode & 0o111) !== 0 ? '100755' : '100644';
}

export class MergeFailed extends Failure {
  readonly code = 'git/merge-failed';
  readonly remedy = 'Merging without a checkout needs git 2.38 or later, and histories with a common commit.';

  constructor(said: string) {
    super(`git could not merge: ${said}`);
  }
}
