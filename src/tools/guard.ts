/**
 * Decides before a tool call whether it is allowed.
 *
 * Invariants: a guard sees the parsed call and changes nothing about it. Only `askGuards` asks guards, in order; the
 * first that does not allow the call decides. Guards never appear in the request to a model, so that its bytes, and
 * the provider's cache of them, stay the same.
 */
import type { GuardedCall } from './guarded-call.ts';
import type { Ask, PermissionAnswer, PermissionRequest } from './permission-request.ts';

export interface Guard {
  decide(call: GuardedCall, signal: AbortSignal): Promise<GuardDecision>;
}

export type GuardDecision =
  | { readonly kind: 'allow' }
  /** The call is made, and its result carries the warning. */
  | { readonly kind: 'warn'; readonly warning: string }
  /** The call is refused with a reason, and the turn continues. */
  | Denial
  /** The user decides. */
  | { readonly kind: 'ask'; readonly question: GuardQuestion }
  /** The call is refused, and the turn should stop instead of trying another way. */
  | Halt;

export interface Denial {
  readonly kind: 'deny';
  readonly reason: string;
  readonly remedy?: string;
}

export interface Halt {
  readonly kind: 'halt';
  readonly reason: string;
  readonly remedy?: string;
}

export interface GuardQuestion extends PermissionRequest {
  /** The decision that follows from the user's answer, which is `undefined` if there is no user to ask. */
  settle(
    answer: PermissionAnswer | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'allow' } | Denial>;
}

/** The joint decision of all guards. */
export type CallDecision = { readonly kind: 'allow'; readonly warnings: readonly string[] } | Denial | Halt;

export interface GuardedRun {
  readonly guards: readonly Guard[];
  /** Absent if there is no user to ask. */
  readonly ask?: Ask | undefined;
}

/** Asks the guards in order, and the user if a guard requires it; the first that does not allow the call decides. */
export async function askGuards(
  { guards, ask }: GuardedRun,
  call: GuardedCall,
  signal: AbortSignal,
): Promise<CallDecision> {
  const warnings: string[] = [];
  for (const guard of guards) {
    const decision = await guard.decide(call, signal);
    const settled = decision.kind === 'ask' ? await answered(decision.question, ask, signal) : decision;
    if (settled.kind === 'deny' || settled.kind === 'halt') return settled;
    if (settled.kind === 'warn') warnings.push(settled.warning);
  }
  return { kind: 'allow', warnings };
}

async function answered(
  question: GuardQuestion,
  ask: Ask | undefined,
  signal: AbortSignal,
): ReturnType<GuardQuestion['settle']> {
  const { call, suggestion } = question;
  return question.settle(await ask?.({ call, suggestion }, signal), signal);
}
