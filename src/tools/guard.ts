/**
 * Decides before a tool call whether it may happen.
 *
 * Invariant: a guard sees the parsed call and changes nothing about it.
 */
import type { Tool } from './tool.ts';

export interface Guard {
  decide(tool: Tool, input: Readonly<Record<string, unknown>>): GuardDecision;
}

type GuardDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string; readonly remedy: string }
  /** Like a denial, and whoever runs the tools should stop rather than try another way. */
  | { readonly kind: 'halt'; readonly reason: string; readonly remedy: string };
