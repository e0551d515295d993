/** Finds the code that a change to some files affects. */

import { z } from 'zod';
import { budgetInput } from '../answer-budget.ts';
import { MissingArgument } from '../failure.ts';
import { flag, word } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { impactPayload } from './impact-payload.ts';
import { cachedMeta, measureImpact } from './impact-run.ts';

export const blastRadius: Tool = defineTool({
  name: 'blast_radius',
  title: 'Blast Radius',
  aliases: ['get_change_impact'],
  effect: 'reads',
  description:
    'Every symbol of the changed files with all its uses, tests listed separately. Call it before editing. Lines start at 1.',
  input: z.object({
    changed_files: z.array(word('Absolute path of a file.')).describe('The files to change.'),
    include_transitive: flag('Also list the callers of the callers; default: false.').optional(),
    scope: z
      .enum(['exported', 'all'])
      .describe('exported (default): symbols that other files can use. all: private and local ones too.')
      .optional(),
    filter: z
      .enum(['untested'])
      .describe('untested: in affected_symbols, list only symbols that are used but not by a test.')
      .optional(),
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    const files = input.changed_files;
    if (files.length === 0) throw new MissingArgument('changed_files is required', 'changed_files');
    const reach = input.include_transitive ? 'transitive' : 'direct';
    const request = { files, scope: input.scope ?? 'exported', reach } as const;
    const measured = await measureImpact(context, request, signal);
    const payload = impactPayload(measured, { reach, filter: input.filter });
    if (payload.changed_symbols.length === 0) return jsonResult(payload, cachedMeta(measured));
    const warned = payload.warnings.length > 0 ? `${payload.warnings.length} warning(s): see warnings. ` : '';
    const hint = `${warned}review the symbols with the most callers before you edit.`;
    return jsonResult(payload, { hint, ...cachedMeta(measured) });
  },
});
