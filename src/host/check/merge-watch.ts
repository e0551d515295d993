/**
 * Judges a merge again whenever one of its sides changes: what agents in several working trees compose to while they
 * work.
 *
 * Invariants: a state is judged once, however many reports of the disk lead to it. A change during a judgement is judged
 * next; nothing is missed. Files that git ignores are part of a verdict and of no commit: a change of one is a new state.
 */
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { onAbort } from '../../base/deadline.ts';
import type { Log } from '../../base/log.ts';
import { worktreesOf } from '../../git/branch.ts';
import { ignoresSome } from '../../git/file-state.ts';
import { GitRepository } from '../../git/git-repository.ts';
import { mergeState } from '../../merge/revision-merge.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import { WorkspaceWatcher } from '../../workspace/watcher.ts';
import { Workspace } from '../../workspace/workspace.ts';
import type { Forerun } from '../forerun.ts';
import { checkMerge, type MergeCheck, type MergeRequest, mergeQuestion } from './merge-check.ts';

/**
 * Yields the current merge, and again after every change, until the signal aborts. Without sides, all working trees
 * of the repository are merged, also those that are added later.
 */
export async function* watchMerge(
  forerun: Forerun,
  request: MergeRequest,
  signal: AbortSignal,
): AsyncGenerator<MergeCheck> {
  const repository = await GitRepository.at(request.root, request.env, signal);
  const last: LastState = { text: undefined };
  while (!signal.aborted) {
    const trees = await worktreesOf(repository, signal);
    await using changes = await RepositoryChanges.watch(repository, { trees, log: forerun.log }, signal);
    const asked = request.sides.length > 0 ? request : { ...request, sides: trees };
    const isSame = async () => (await worktreesOf(repository, signal)).join('\0') === trees.join('\0');
    yield* judgedUntil(forerun, { asked, changes, last, isSame }, signal);
  }
}

interface LastState {
  text: string | undefined;
}

/** Judges after every change as long as `isSame` says that the working trees are the same. */
async function* judgedUntil(
  forerun: Forerun,
  {
    asked,
    changes,
    last,
    isSame,
  }: {
    readonly asked: MergeRequest;
    readonly changes: RepositoryChanges;
    readonly last: LastState;
    readonly isSame: () => Promise<boolean>;
  },
  signal: AbortSignal,
): AsyncGenerator<MergeCheck> {
  while (!signal.aborted) {
    const changed = changes.next();
    const isOutside = await changes.takeIgnored(signal);
    const state = await mergeState(await mergeQuestion(forerun, asked, signal), signal);
    if (state !== last.text || isOutside) {
      last.text = state;
      yield await checkMerge(forerun, asked, signal);
    }
    await changed;
    if (signal.aborted || !(await isSame())) return;
  }
}

/** Reports that a file of a working tree, or a branch, has changed. */
class RepositoryChanges implements AsyncDisposable {
  readonly #repository: GitRepository;
  readonly #watchers: (WorkspaceWatcher | FSWatcher)[] = [];
  /** Changed files of the working tree on which merges are judged; any file may have changed before the watch began. */
  #onDisk: Set<string> | 'any' = 'any';
  #tell: () => void = () => {};
  #leave: () => void = () => {};

  private constructor(repository: GitRepository) {
    this.#repository = repository;
  }

  static async watch(
    repository: GitRepository,
    { trees, log }: { readonly trees: readonly string[]; readonly log: Log },
    signal: AbortSignal,
  ): Promise<RepositoryChanges> {
    const changes = new RepositoryChanges(repository);
    try {
      for (const directory of trees) {
        const watcher = await WorkspaceWatcher.start(await Workspace.open(directory), { log }, signal);
        watcher.changes.subscribe((events) => {
          if (directory === repository.top) changes.#note(events);
          changes.#tell();
        });
        changes.#watchers.push(watcher);
      }
      const common = repository.commonDirectory;
      const tell = () => changes.#tell();
      changes.#watchers.push(watch(common, tell), watch(join(common, 'refs'), { recursive: true }, tell));
      // Git makes this directory with the first working tree besides the main one, which is reported above.
      const administration = join(common, 'worktrees');
      if (existsSync(administration)) changes.#watchers.push(watch(administration, tell));
      changes.#leave = onAbort(signal, tell);
      return changes;
    } catch (thrown) {
      await changes[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  /** Resolves at the first change after this call. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  /** Whether a file that git ignores has changed since the last call. */
  async takeIgnored(signal: AbortSignal): Promise<boolean> {
    const changed = this.#onDisk;
    this.#onDisk = new Set();
    return changed === 'any' || (await ignoresSome(this.#repository, [...changed], signal));
  }

  #note(events: readonly FileEvent[]): void {
    // An empty report says that any file may have changed.
    if (events.length === 0) this.#onDisk = 'any';
    if (this.#onDisk !== 'any') for (const { path } of events) this.#onDisk.add(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave();
    for (const watcher of this.#watchers) {
      if (watcher instanceof WorkspaceWatcher) await watcher[Symbol.asyncDispose]();
      else watcher.close();
    }
  }
}
