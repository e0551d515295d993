/**
 * The text for an agent whose call violates a skill's phases: why, and how to continue.
 *
 * Invariant: a recovery names only tools that the guard would allow at that moment.
 */
import { unreachable } from '../base/unreachable.ts';
import { isViolation, judge, type PhaseProgress, phaseAt, type Violation } from './judgement.ts';
import {
  callOf,
  namesTool,
  type Phase,
  type PhasedCall,
  type PhasePlan,
  previewsIn,
  speaksOf,
} from './phase.ts';

/** A violation with its skill and time. */
export interface Incident {
  readonly skill: string;
  readonly plan: PhasePlan;
  readonly progress: PhaseProgress;
  readonly call: PhasedCall;
  readonly violation: Violation;
}

export function violationReason({ skill, call, violation }: Incident): string {
  switch (violation.kind) {
    case 'globally-forbidden':
      return `${call.name} is globally forbidden during the ${skill} skill`;
    case 'forbidden':
      return `${call.name} is forbidden in the "${violation.phase.name}" phase`;
    case 'skips':
      return `${call.name} would skip the "${violation.phase.name}" phase`;
    case 'unpreviewed':
      return `${call.name} would lead to writing without a preview of the "${violation.phase.name}" phase`;
    default:
      return unreachable(violation);
  }
}

export function recoveryOf(incident: Incident): string {
  const { plan, progress, violation } = incident;
  switch (violation.kind) {
    case 'globally-forbidden':
      return `No phase of this skill allows it. ${toolsOf(incident, phaseAt(plan, progress.index))} deactivate_skill ends the enforcement.`;
    case 'forbidden':
      return [dryRunOf(incident), openingOf(incident)].filter(Boolean).join(' ');
    case 'skips':
      return toolsOf(incident, violation.phase);
    case 'unpreviewed':
      return previewFirst(violation.phase);
    default:
      return unreachable(violation);
  }
}

/** A tool that the phase lists although writing is forbidden can be called so that it writes nothing. */
function dryRunOf({ violation, call }: Incident): string {
  if (violation.kind !== 'forbidden' || !namesTool(violation.phase.allowed, call.name)) return '';
  return `In the "${violation.phase.name}" phase call ${call.name} with dry_run: true.`;
}

function openingOf(incident: Incident): string {
  const { plan, progress, call } = incident;
  const current = phaseAt(plan, progress.index);
  const opening = plan.phases.find(
    (phase, index) =>
      index > progress.index && speaksOf(phase.allowed, call) && !speaksOf(phase.forbidden, call),
  );
  if (!opening) return `No later phase allows it. ${toolsOf(incident, current)}`;
  const allowed = `${call.name} is allowed in the "${opening.name}" phase.`;
  if (previewsIn(current).length > 0 && progress.previewed?.has(progress.index) !== true) {
    return `${allowed} ${previewFirst(current)}`;
  }
  const next = nextPhaseOf(incident);
  return next ? `${allowed} ${next}` : `${allowed} ${toolsOf(incident, current)}`;
}

/** The nearest later phase that can be entered from here, with the tools that enter it. */
function nextPhaseOf({ plan, progress }: Incident): string | undefined {
  for (const [index, phase] of plan.phases.entries()) {
    if (index <= progress.index) continue;
    const doors = serverTools(phase).filter((name) => {
      const judgement = judge(plan, progress, callOf(name));
      return judgement.kind === 'advance' && judgement.to === index;
    });
    if (doors.length > 0)
      return `To enter the next phase, "${phase.name}", call one of: ${doors.join(', ')}.`;
  }
  return undefined;
}

function previewFirst(phase: Phase): string {
  return `Preview the change first, in the "${phase.name}" phase: ${previewsIn(phase).join(', ')}.`;
}

function toolsOf({ plan, progress }: Incident, phase: Phase): string {
  const names = serverTools(phase).filter((name) => !isViolation(judge(plan, progress, callOf(name))));
  return names.length > 0
    ? `Tools of the "${phase.name}" phase: ${names.join(', ')}.`
    : `The "${phase.name}" phase has no tool that could be called now.`;
}

/** The agent's own tools are capitalised; the server never sees their calls. */
function serverTools(phase: Phase): readonly string[] {
  return phase.allowed.filter((name) => !/^[A-Z]/.test(name));
}
