/**
 * Cases in which nothing is suggested, decided without a request.
 *
 * Invariant: the first matching reason is reported.
 */
import { isNearlyFull } from '../agent/compaction.ts';
import { uncachedInput } from '../model/usage.ts';
import type { AgentBranch } from './agent-branch.ts';

export type SkipReason =
  | 'not_interactive'
  | 'error_turn'
  | 'nothing_said'
  | 'plan_mode'
  | 'cold_cache'
  | 'window_full';

export interface SkipContext {
  readonly branch: AgentBranch;
  readonly interaction: 'interactive' | 'none';
}

export function skipReason(context: SkipContext): SkipReason | undefined {
  return skips.find(({ applies }) => applies(context))?.reason;
}

/** With more uncached input, the request would cost too much for a few words. */
const mostUncached = 10_000;

const skips: readonly {
  readonly reason: SkipReason;
  readonly applies: (context: SkipContext) => boolean;
}[] = [
  { reason: 'not_interactive', applies: ({ interaction }) => interaction === 'none' },
  { reason: 'error_turn', applies: ({ branch }) => branch.ended.kind !== 'answered' },
  {
    reason: 'nothing_said',
    applies: ({ branch }) => branch.conversation.history.messages.at(-1)?.role !== 'assistant',
  },
  // Nothing could be written, and the next input of a planning user is a decision.
  { reason: 'plan_mode', applies: ({ branch }) => branch.trunk.setup.permissions.mode === 'plan' },
  {
    reason: 'cold_cache',
    applies: ({ branch }) => {
      const { usage } = branch.conversation.history;
      // A provider that does not report caching may still cache.
      return usage.cachedInput !== undefined && uncachedInput(usage) > mostUncached;
    },
  },
  { reason: 'window_full', applies: ({ branch }) => isNearlyFull(branch.conversation) },
];
