/** The work of a fork on its way into the conversation it was forked from. */
import type { Message } from '../model/message.ts';
import type { Usage } from '../model/usage.ts';
import type { CommitDecision } from '../overlay/commit/commit-decision.ts';
import type { SeenFile } from '../tools/tool-result.ts';
import type { Todo } from './todo.ts';

export interface MergedWork {
  readonly messages: readonly Message[];
  /** The files it has seen. */
  readonly seen: readonly SeenFile[];
  /** Absent where they are as they were. */
  readonly todos?: readonly Todo[];
  /** What its last request cost. */
  readonly usage?: Usage;
}

/**
 * The two halves of taking work in, for whoever has files to change with it. Once it is kept it counts, also for
 * somebody who resumes the conversation; until it is told, this process does not know of it.
 */
export interface ForkMerge {
  /** Keeps all of it in one entry. */
  readonly decision: CommitDecision;
  /** Says what was kept. It cannot fail. */
  apply(): void;
}
