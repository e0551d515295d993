/**
 * Judges one call for a skill in progress: within its phase, the step to a later phase, or a violation.
 *
 * Invariants: it is a pure function; phases only advance, and no call skips a phase that forbids it, except a write
 * that the current phase has previewed; if a phase has previews, no phase that allows writing is entered without one.
 */
import { type Phase, type PhasedCall, type PhasePlan, previewsIn, speaksOf, writingIn } from './phase.ts';

/** The strictness of enforcement. `strict` also refuses to skip a phase in which nothing was called. */
export const enforcementModes = ['warn', 'block', 'strict'] as const;

export type EnforcementMode = (typeof enforcementModes)[number];

/** The progress of a skill. */
export interface PhaseProgress {
  readonly mode: EnforcementMode;
  readonly index: number;
  /** Phases of which at least one tool was called. */
  readonly served: ReadonlySet<number>;
  /** Phases of which at least one preview was called; absent: none. */
  readonly previewed?: ReadonlySet<number>;
}

type Judgement =
  | { readonly kind: 'within' }
  /** No phase from here on mentions the tool. */
  | { readonly kind: 'outside' }
  | { readonly kind: 'advance'; readonly to: number }
  | Violation;

export type Violation =
  | { readonly kind: 'globally-forbidden' }
  | { readonly kind: 'forbidden'; readonly phase: Phase }
  | { readonly kind: 'skips'; readonly phase: Phase }
  /** The call would lead to writing without a preview. */
  | { readonly kind: 'unpreviewed'; readonly phase: Phase };

export function judge(plan: PhasePlan, progress: PhaseProgress, call: PhasedCall): Judgement {
  if (speaksOf(plan.globallyForbidden, call)) return { kind: 'globally-forbidden' };
  const current = phaseAt(plan, progress.index);
  const isReady = progress.previewed?.has(progress.index) === true;
  if (speaksOf(current.forbidden, call) && !(isReady && call.effect === 'disk')) {
    return { kind: 'forbidden', phase: current };
  }
  if (speaksOf(current.allowed, call) && !speaksOf(current.forbidden, call)) return { kind: 'within' };
  const to = plan.phases.findIndex((phase, index) => index > progress.index && speaksOf(phase.allowed, call));
  if (to < 0 && speaksOf(current.forbidden, call)) return { kind: 'forbidden', phase: current };
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
  { progress, to }: { readonly progress: PhaseProgress; readonly to: number },
  call: PhasedCall,
): Judgement {
  const barrier = plan.phases
    .slice(progress.index + 1, to + 1)
    .find((phase) => speaksOf(phase.forbidden, call));
  if (barrier) return { kind: 'forbidden', phase: barrier };
  const unpreviewed = plan.phases.find(
    (phase, index) =>
      index >= progress.index &&
      index < to &&
      previewsIn(phase).length > 0 &&
      progress.previewed?.has(index) !== true,
  );
  const opensWriting = plan.phases.some((phase, index) => index >= to && writingIn(phase) === 'allowed');
  if (unpreviewed && opensWriting) return { kind: 'unpreviewed', phase: unpreviewed };
  const skipped = plan.phases.find(
    (phase, index) =>
      index >= progress.index && index < to && !phase.isOptional && !progress.served.has(index),
  );
  return progress.mode === 'strict' && skipped ? { kind: 'skips', phase: skipped } : { kind: 'advance', to };
}
