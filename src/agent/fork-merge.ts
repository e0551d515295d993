/** Merges the work of a fork into the conversation it was forked from. */
import type { Message } from '../model/message.ts';
import type { Usage } from '../model/usage.ts';
import type { CommitDecision } from '../overlay/commit/commit-decision.ts';
import type { SeenFile } from '../tools/tool-result.ts';
import type { Todo } from './todo.ts';

export interface MergedWork {
  readonly messages: readonly Message[];
  /** The files the fork has seen. */
  readonly seen: readonly SeenFile[];
  /** Absent if unchanged. */
  readonly todos?: readonly Todo[];
  /** Token usage of its last request. */
  readonly usage?: Usage;
}

/**
 * The two steps of a merge, for a caller that commits files together with it. `decision` makes the merge durable,
 * also for a process that resumes the conversation. `apply` then updates this conversation in memory.
 */
export interface ForkMerge {
  /** Records the whole merge in one entry. */
  readonly decision: CommitDecision;
  /** Applies the recorded merge. It cannot fail. */
  apply(): void;
}

/** Merges the work of a fork, completely or not at all. */
export async function mergeFork(
  conversation: { prepareMerge(work: MergedWork): ForkMerge },
  work: MergedWork,
): Promise<void> {
  const { decision, apply } = conversation.prepareMerge(work);
  await decision.decide();
  apply();
}
