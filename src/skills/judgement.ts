/**
 * What one call means to a skill in progress: within its phase, the step to a later one, or a violation.
 *
 * Invariant: a pure function; phases only move forward, and no call jumps over a phase that forbids it.
 */
import { type Phase, type PhasedCall, type PhasePlan, speaksOf } from './phase.ts';

/** How strictly the phases are kept. `strict` also refuses to pass over a phase in which nothing was done. */
export const enforcementModes = ['warn', 'block', 'strict'] as const;

export type EnforcementMode = (typeof enforcementModes)[number];

/** How far a skill has come. */
export interface Progress {
  readonly mode: EnforcementMode;
  readonly index: number;
  /** Phases one of whose tools was called. */
  readonly served: ReadonlySet<number>;
}

export type Judgement =
  | { readonly kind: 'within' }
  /** No phase from here on speaks of the tool. */
  | { readonly kind: 'outside' }
  | { readonly kind: 'advance'; readonly to: number }
  | Violation;

export type Violation =
  | { readonly kind: 'globally-forbidden' }
  | { readonly kind: 'forbidden'; readonly phase: Phase }
  | { readonly kind: 'skips'; readonly phase: Phase };

export function judge(plan: PhasePlan, progress: Progress, call: PhasedCall): Judgement {
  if (speaksOf(plan.globallyForbidden, call)) return { kind: 'globally-forbidden' };
  const current = phaseAt(plan, progress.index);
  if (speaksOf(current.forbidden, call)) return { kind: 'forbidden', phase: current };
  if (speaksOf(current.allowed, call)) return { kind: 'within' };
  const to = plan.phases.findIndex((phase, index) => index > progress.index && speaksOf(phase.allowed, call));
  return to < 0 ? { kind: 'outside' } : judgeAdvance(plan, { progress, to }, call);
}

export function isViolation(judgement: Judgement): judgement is Violation {
  return judgement.kind !== 'within' && judgement.kind !== 'outside' && judgement.kind !== 'advance';
}

export function phaseAt(plan: PhasePlan, index: number): Phase {
  return plan.phases[index] ?? plan.phases[0];
}

function judgeAdvance(
  plan: PhasePlan,
  { progress, to }: { readonly progress: Progress; readonly to: number },
  call: PhasedCall,
): Judgement {
  const barrier = plan.phases
    .slice(progress.index + 1, to + 1)
    .find((phase) => speaksOf(phase.forbidden, call));
  if (barrier) return { kind: 'forbidden', phase: barrier };
  const skipped = plan.phases.find(
    (phase, index) =>
      index >= progress.index && index < to && !phase.isOptional && !progress.served.has(index),
  );
  return progress.mode === 'strict' && skipped ? { kind: 'skips', phase: skipped } : { kind: 'advance', to };
}
