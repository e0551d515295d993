/** The enforced skill, its progress and the tools allowed now. */
import { z } from 'zod';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { jsonResult } from '../../tools/tool-result.ts';
import { enforceable, type PhaseTracker } from '../phase-tracker.ts';
import type { SkillLoader } from '../skill.ts';
import { phaseLists } from './phase-lists.ts';

export function getSkillPhase(tracker: PhaseTracker, skills: SkillLoader): Tool {
  return defineTool({
    name: 'get_skill_phase',
    title: 'Get Skill Phase Status',
    effect: 'reads',
    description: 'The enforced skill, its current phase, and the tools that phase allows and forbids.',
    input: z.object({}),
    async handle() {
      const { active } = tracker;
      if (!active) return jsonResult({ active: false, available_skills: enforceable(await skills()) });
      return jsonResult({
        active: true,
        skill_name: active.skill,
        current_phase: active.phase.name,
        phase_index: active.index,
        total_phases: active.plan.phases.length,
        mode: active.mode,
        ...phaseLists(active),
        tool_history: active.history,
      });
    },
  });
}
