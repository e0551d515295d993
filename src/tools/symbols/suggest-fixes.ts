/** The code actions of a range. */
import { z } from 'zod';
import { filledCodeActions } from '../../code/code-action.ts';
import { shownText } from '../../code/query.ts';
import { readText } from '../../overlay/overlay.ts';
import { humanRange, whole } from '../parameter.ts';
import { fileInput, inFile } from '../read-file-tool.ts';
import { settlingDoubt } from '../settling-doubt.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { looseRangeIn } from './text-range.ts';

const diagnosticsMs = 25_000;

export const suggestFixes: Tool = defineTool({
  name: 'suggest_fixes',
  title: 'Suggest Fixes',
  aliases: ['get_code_actions'],
  effect: 'reads',
  description:
    'Quick fixes and refactorings for a range, with the edits they would make. Edits in the answer are zero-based; nothing is applied.',
  input: z.object({
    ...fileInput,
    ...humanRange,
    line: whole('Instead of a range: a line, from 1.').optional(),
    column: whole('With line: a column on it, from 1; absent: the whole line.').optional(),
  }),
  async handle(context, input, signal) {
    return inFile(context, input, signal, async (query, path, { overlay }) => {
      const text = shownText(query, path) ?? (await readText(overlay, path)).text;
      const range = looseRangeIn(text, input);
      const [known] = await during('suggest_fixes', () =>
        query.lease.diagnostics([path], { timeoutMs: diagnosticsMs }, signal),
      );
      // Settling may have projected the file in another mode, so it is opened again before the request.
      await query.lease.open([path]);
      const request = { path, range, diagnostics: known?.diagnostics ?? [] };
      const actions = await during('suggest_fixes', () => filledCodeActions(query, request, signal));
      return jsonResult(actions, {
        ...(actions.length > 0 && {
          hint: 'apply_edit applies the edit of an action; execute_command executes its command.',
        }),
        ...settlingDoubt(known ? [known] : []),
      });
    });
  },
});
