/**
 * Reports that a repository may have changed: its index, its head or the state of a merge.
 *
 * Invariant: a report is a hint to look, never a fact. Where nothing can be watched there are no reports.
 */
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../base/errno.ts';
import type { Log } from '../base/log.ts';
import type { GitRepository } from './git-repository.ts';

export function watchRepository(
  { gitDirectory: directory }: GitRepository,
  { onChange, log }: { readonly onChange: () => void; readonly log: Log },
): Disposable {
  // Every move of the head is written to its log, also one that leaves the index as it is.
  const watchers = [directory, join(directory, 'logs')].flatMap((each) => watched(each, onChange, log));
  return {
    [Symbol.dispose]: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}

function watched(directory: string, onChange: () => void, log: Log): readonly FSWatcher[] {
  const survive = (thrown: unknown): void =>
    log.info('git.not-watched', { code: 'git/not-watched', directory, errno: errnoOf(thrown) });
  try {
    // A lock comes and goes with every change; what counts is the file that replaces the old one.
    const watcher = watch(directory, { persistent: false }, (_, name) => {
      if (name?.endsWith('.lock') !== true) onChange();
    });
    return [watcher.on('error', survive)];
  } catch (thrown) {
    survive(thrown);
    return [];
  }
}
