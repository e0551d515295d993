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
 * The two halves of taking work in, for a caller that commits files with it. Once it is recorded it counts, also for a
 * process that resumes the conversation; until it is applied, this process does not use it.
 */
export interface ForkMerge {
  /** Records all of it in one entry. */
  readonly decision: CommitDecision;
  /** Applies what was recorded. It cannot fail. */
  apply(): void;
}

/** Takes in the work of a fork, all of it or nothing. */
export async function mergeFork(
  conversation: { prepareMerge(work: MergedWork): ForkMerge },
  work: MergedWork,
): Promise<void> {
  const { decision, apply } = conversation.prepareMerge(work);
  await decision.decide();
  apply();
}
