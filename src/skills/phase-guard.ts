/**
 * Enforces the phase order of the active skill on tool calls.
 *
 * Invariant: a refusal says why and how to continue; in `warn` mode nothing is refused.
 */
import type { Guard, GuardDecision } from '../tools/guard.ts';
import { phaseAt } from './judgement.ts';
import type { PhaseTracker } from './phase-tracker.ts';
import { type Incident, recoveryOf, violationReason } from './violation-text.ts';

export function phaseGuard(tracker: PhaseTracker): Guard {
  return {
    async decide({ tool, effect }): Promise<GuardDecision> {
      if (ungated.has(tool)) return { kind: 'allow' };
      const incident = tracker.follow({ name: tool, effect });
      if (!incident) return { kind: 'allow' };
      const reason = violationText(incident);
      return incident.progress.mode === 'warn'
        ? { kind: 'warn', warning: reason }
        : { kind: 'deny', reason, remedy: recoveryOf(incident) };
    },
  };
}

/** The tools that control enforcement are exempt from it. */
const ungated: ReadonlySet<string> = new Set(['activate_skill', 'deactivate_skill', 'get_skill_phase']);

/** First for people, then the same for programs. */
function violationText(incident: Incident): string {
  const { skill, plan, progress, call } = incident;
  const reason = violationReason(incident);
  const recovery = recoveryOf(incident);
  const payload = {
    error: 'phase_violation',
    tool: call.name,
    skill,
    current_phase: phaseAt(plan, progress.index).name,
    reason,
    recovery,
  };
  return `Phase violation: ${reason}\n\nRecovery: ${recovery}\n\n${JSON.stringify(payload)}`;
}
