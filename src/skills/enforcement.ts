/**
 * The skills for one connection: the tools that control enforcement, the guard that enforces phases, and the
 * capabilities the skills need.
 *
 * Invariant: tools and guard share one tracker, connections share none, and skills are loaded only on demand.
 */
import type { Log } from '../base/log.ts';
import type { Guard } from '../tools/guard.ts';
import type { SkillRequirement } from '../tools/skill-support.ts';
import type { Tool } from '../tools/tool.ts';
import { phaseGuard } from './phase-guard.ts';
import { PhaseTracker } from './phase-tracker.ts';
import { skillRequirements } from './requirement.ts';
import type { SkillLoader } from './skill.ts';
import { activateSkill } from './tools/activate-skill.ts';
import { deactivateSkill } from './tools/deactivate-skill.ts';
import { getSkillPhase } from './tools/get-skill-phase.ts';

export interface Enforcement {
  readonly tools: readonly Tool[];
  readonly guard: Guard;
  readonly requirements: () => Promise<readonly SkillRequirement[]>;
}

export function enforcementOf(skills: SkillLoader, log: Log): Enforcement {
  const tracker = new PhaseTracker(log);
  return {
    tools: [activateSkill(tracker, skills), deactivateSkill(tracker), getSkillPhase(tracker, skills)],
    guard: phaseGuard(tracker),
    requirements: async () => skillRequirements(await skills()),
  };
}
