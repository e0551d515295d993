/**
 * Judges a merge again whenever one of its sides changes: what agents in several working trees compose to while they
 * work.
 *
 * Invariants: a state is judged once, however many reports of the disk lead to it. A change during a judgement is judged
 * next; nothing is missed.
 */
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { onAbort } from '../../base/deadline.ts';
import type { Log } from '../../base/log.ts';
import { GitRepository } from '../../git/git-repository.ts';
import { mergeState } from '../../merge/revision-merge.ts';
import { WorkspaceWatcher } from '../../workspace/watcher.ts';
import { Workspace } from '../../workspace/workspace.ts';
import type { Forerun } from '../forerun.ts';
import { checkMerge, type MergeCheck, type MergeRequest, mergeQuestion } from './merge-check.ts';

/**
 * Yields the merge as it is, and again after every change, until the signal is aborted. Without sides, all working trees
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
    const trees = await repository.worktrees(signal);
    await using changes = await RepositoryChanges.watch(repository, { trees, log: forerun.log }, signal);
    const asked = request.sides.length > 0 ? request : { ...request, sides: trees };
    const isSame = async () => (await repository.worktrees(signal)).join('\0') === trees.join('\0');
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
    const state = await mergeState(await mergeQuestion(forerun, asked, signal), signal);
    if (state !== last.text) {
      last.text = state;
      yield await checkMerge(forerun, asked, signal);
    }
    await changed;
    if (signal.aborted || !(await isSame())) return;
  }
}

/** Reports that a file of a working tree, or a branch, has changed. */
class RepositoryChanges implements AsyncDisposable {
  readonly #watchers: (WorkspaceWatcher | FSWatcher)[] = [];
  #tell: () => void = () => {};

  static async watch(
    repository: GitRepository,
    { trees, log }: { readonly trees: readonly string[]; readonly log: Log },
    signal: AbortSignal,
  ): Promise<RepositoryChanges> {
    const changes = new RepositoryChanges();
    try {
      for (const directory of trees) {
        const watcher = await WorkspaceWatcher.start(await Workspace.open(directory), { log }, signal);
        watcher.changes.subscribe(() => changes.#tell());
        changes.#watchers.push(watcher);
      }
      const common = await repository.commonDirectory(signal);
      const tell = () => changes.#tell();
      changes.#watchers.push(watch(common, tell), watch(join(common, 'refs'), { recursive: true }, tell));
      // Git makes this directory with the first working tree besides the main one, which is reported above.
      const administration = join(common, 'worktrees');
      if (existsSync(administration)) changes.#watchers.push(watch(administration, tell));
      onAbort(signal, tell);
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

  async [Symbol.asyncDispose](): Promise<void> {
    for (const watcher of this.#watchers) {
      if (watcher instanceof WorkspaceWatcher) await watcher[Symbol.asyncDispose]();
      else watcher.close();
    }
  }
}
