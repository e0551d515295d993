/** Ends the enforcement of the active skill. */
import { z } from 'zod';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { jsonResult } from '../../tools/tool-result.ts';
import type { PhaseTracker } from '../phase-tracker.ts';

export function deactivateSkill(tracker: PhaseTracker): Tool {
  return defineTool({
    name: 'deactivate_skill',
    title: 'Deactivate Skill Phase Enforcement',
    effect: 'process',
    idempotent: true,
    description: 'Stop enforcing the active skill. Not an error if none is active.',
    input: z.object({}),
    async handle() {
      tracker.deactivate();
      return jsonResult({ status: 'deactivated' });
    },
  });
}
