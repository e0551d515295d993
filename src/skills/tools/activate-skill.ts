/** Starts enforcing the phases of a skill on this connection. */
import { z } from 'zod';
import { word } from '../../tools/parameter.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { jsonResult } from '../../tools/tool-result.ts';
import { enforcementModes } from '../judgement.ts';
import type { PhaseTracker } from '../phase-tracker.ts';
import type { SkillLoader } from '../skill.ts';
import { phaseLists } from './phase-lists.ts';

export function activateSkill(tracker: PhaseTracker, skills: SkillLoader): Tool {
  return defineTool({
    name: 'activate_skill',
    title: 'Activate Skill Phase Enforcement',
    effect: 'process',
    description:
      "Enforce the phases of a skill on this connection's tool calls: calls out of order are warned about, or refused with the next step.",
    input: z.object({
      skill_name: word('A skill with phases; get_skill_phase lists them.'),
      mode: z
        .enum(enforcementModes)
        .describe(
          'warn (default): calls out of order are made with a warning. block: they are refused. strict: skipping a phase is refused too.',
        )
        .optional(),
    }),
    async handle(_context, { skill_name, mode }) {
      const active = tracker.activate(skill_name, mode ?? 'warn', await skills());
      return jsonResult({
        status: 'activated',
        skill: active.skill,
        mode: active.mode,
        current_phase: active.phase.name,
        total_phases: active.plan.phases.length,
        ...phaseLists(active),
      });
    },
  });
}
