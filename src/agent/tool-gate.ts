/**
 * Decides before a tool call whether it happens, whoever is asked for it.
 *
 * Invariant: a gate never changes a call, and a request to the model never shows what its gates are: tools are denied
 * here, so that the prefix a provider has cached stays the same to the byte.
 */
import type { ToolCallPart } from '../model/message.ts';
import type { Effect } from '../tools/tool.ts';
import type { CallSubject } from './agent-tool.ts';

export interface ToolGate {
  decide(call: GatedCall, signal: AbortSignal): Promise<GateDecision>;
}

export interface GatedCall {
  readonly id: string;
  readonly tool: string;
  /** As the model wrote them. */
  readonly input: ToolCallPart['input'];
  readonly effect: Effect;
  readonly subject: CallSubject;
}

export type GateDecision =
  | { readonly kind: 'allow' }
  /** The model is told why, and goes on. */
  | { readonly kind: 'deny'; readonly reason: string }
  /** The turn ends here. */
  | { readonly kind: 'halt'; readonly boundary: Boundary };

/** Where a turn was stopped, and why. */
export interface Boundary {
  /** The kind of thing it stopped at, as whoever set the boundary names it. */
  readonly kind: string;
  readonly tool: string;
  readonly detail: string;
}

/** Asks one gate after the other; the first that does not allow decides. */
export async function askGates(
  gates: readonly ToolGate[],
  call: GatedCall,
  signal: AbortSignal,
): Promise<GateDecision> {
  for (const gate of gates) {
    const decision = await gate.decide(call, signal);
    if (decision.kind !== 'allow') return decision;
  }
  return { kind: 'allow' };
}
