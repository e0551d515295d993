/** Completions at a position. */

import { z } from 'zod';
import { positionOn, shownText } from '../../code/query.ts';
import { bestCompletions, completions } from '../../lsp/feature/completion.ts';
import { LineIndex, type Position } from '../../text/position.ts';
import { budgetInput } from '../answer-budget.ts';
import { InvalidArgument } from '../failure.ts';
import { whole } from '../parameter.ts';
import { atPlace, placeInput } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

const shownByDefault = 20;

export const getCompletions: Tool = defineTool({
  name: 'get_completions',
  title: 'Get Completions',
  effect: 'reads',
  description:
    'The best completions at a position, as the language server returns them; isIncomplete says that there are more. Edits in items are zero-based.',
  input: z.object({
    ...placeInput,
    limit: whole(`Return only the best so many; default: ${shownByDefault}.`).optional(),
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    const { limit = shownByDefault } = input;
    if (limit < 1) throw new InvalidArgument(`limit must be >= 1, got ${limit}`);
    return atPlace(context, input, signal, async (query, place) => {
      const list = await during('get_completions', () =>
        completions(query.lease.server, positionOn(query, place), signal),
      );
      const begun = begunWord(shownText(query, place.path) ?? '', place.position);
      return jsonResult(bestCompletions(list, begun, limit));
    });
  },
});

/** The part of a word before the cursor. */
function begunWord(text: string, { line, character }: Position): string {
  return /[\p{L}\p{N}_$]*$/u.exec(new LineIndex(text).lineText(line).slice(0, character))?.[0] ?? '';
}
