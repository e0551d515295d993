/**
 * Decides before a tool call whether it may happen.
 *
 * Invariant: a guard sees the parsed call and changes nothing about it.
 */
import type { Effect, Tool } from './tool.ts';

export interface Guard {
  decide(call: GuardedCall): GuardDecision;
}

export interface GuardedCall {
  /** Under its own name, whichever alias it was called by. */
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  /** What this call touches, which may be less than the tool could. */
  readonly effect: Effect;
}

export type GuardDecision =
  | { readonly kind: 'allow' }
  /** The call goes ahead, and its answer carries the warning as an item of its own. */
  | { readonly kind: 'warn'; readonly warning: string }
  | { readonly kind: 'deny'; readonly reason: string; readonly remedy: string }
  /** Like a denial, and whoever runs the tools should stop rather than try another way. */
  | { readonly kind: 'halt'; readonly reason: string; readonly remedy: string };
