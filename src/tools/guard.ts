/**
 * Decides before a tool call whether it may happen.
 *
 * Invariants: a guard sees the parsed call and changes nothing about it. Guards are asked in order by `askGuards` and
 * nowhere else; the first that does not allow the call decides. A model is never shown its guards: the request it gets
 * stays the same to the byte, so that a provider's cache of it stays valid.
 */
import type { GuardedCall } from './guarded-call.ts';
import type { Ask, PermissionAnswer, PermissionRequest } from './permission-request.ts';

export interface Guard {
  decide(call: GuardedCall, signal: AbortSignal): Promise<GuardDecision>;
}

export type GuardDecision =
  | { readonly kind: 'allow' }
  /** The call goes ahead, and its result carries the warning. */
  | { readonly kind: 'warn'; readonly warning: string }
  /** The caller gets the reason, and goes on. */
  | Denial
  /** The user decides. */
  | { readonly kind: 'ask'; readonly question: GuardQuestion }
  /** Like a denial, and the caller should stop rather than try another way. */
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
  /** What follows from the answer; `undefined` where there is no user to ask. */
  settle(
    answer: PermissionAnswer | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'allow' } | Denial>;
}

/** What all guards together say. */
export type CallDecision = { readonly kind: 'allow'; readonly warnings: readonly string[] } | Denial | Halt;

export interface GuardedRun {
  readonly guards: readonly Guard[];
  /** Absent where there is no user to ask. */
  readonly ask?: Ask | undefined;
}

/** Asks one guard after the other, and the user where a guard says so; the first that does not allow decides. */
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
