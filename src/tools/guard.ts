/**
 * Decides before a tool call whether it is allowed.
 *
 * Invariants: a guard sees the parsed call and changes nothing about it. Only `askGuards` asks guards, in order; the
 * first that does not allow the call decides. Guards never appear in the request to a model, so that its bytes, and
 * the provider's cache of them, stay the same.
 */
import type { CallSubject } from './call-subject.ts';
import type { Effect, PreparedCall } from './tool.ts';

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

/** A tool call as guards and users see it. */
export interface GuardedCall {
  readonly id: string;
  /** The tool's name, even if it was called by an alias. */
  readonly tool: string;
  /** The parsed input. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The effect of this call, which may be less than the tool's. */
  readonly effect: Effect;
  readonly subject: CallSubject;
}

/** A prepared call in the form that guards see. */
export async function guardedCall<Context>(
  id: string,
  { tool, input, effect, subject }: PreparedCall<Context>,
  context: Context,
): Promise<GuardedCall> {
  return { id, tool: tool.name, input, effect, subject: await subject(context) };
}

/** A rule that allows or denies calls, such as `Bash(npm test:*)`. */
export interface PermissionRule {
  /** The name of a tool, or of its kind: `Edit` covers every edit, `Read` every tool that reads files. */
  readonly tool: string;
  /** The subject the call must have; absent: any. */
  readonly pattern?: string;
}

export interface PermissionRequest {
  readonly call: GuardedCall;
  /** The rule that would allow this call and similar ones, which the user can save or change. */
  readonly suggestion: PermissionRule;
}

export type PermissionAnswer =
  | { readonly kind: 'allow' }
  /** Allowed, together with all calls the rule covers: in this conversation, or in the project's settings. */
  | {
      readonly kind: 'allow-always';
      readonly rule: PermissionRule;
      readonly scope: 'conversation' | 'project';
    }
  /** `words` are passed on to the model. */
  | { readonly kind: 'deny'; readonly words?: string };

export type Ask = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;
