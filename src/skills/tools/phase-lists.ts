/** The tools that the current phase lists, as both phase tools return them. */
import type { ActiveSkill } from '../phase-tracker.ts';

export interface PhaseLists {
  readonly allowed_tools: readonly string[];
  /** Of the phase and of the whole skill. */
  readonly forbidden_tools: readonly string[];
}

export function phaseLists({ phase, plan }: ActiveSkill): PhaseLists {
  return {
    allowed_tools: phase.allowed,
    forbidden_tools: [...new Set([...phase.forbidden, ...plan.globallyForbidden])],
  };
}
