/** Completions at a position. */

import { z } from 'zod';
import { positionOn, shownText } from '../../code/query.ts';
import { bestCompletions, completions } from '../../lsp/feature/completion.ts';
import { LineIndex } from '../../text/line-index.ts';
import type { Position } from '../../text/position.ts';
import { budgetInput } from '../answer-budget.ts';
import { during, InvalidArgument } from '../failure.ts';
import { whole } from '../parameter.ts';
import { atPlace, placeInput } from '../read-file-tool.ts';
import { defineTool, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

export const getCompletions: Tool = defineTool({
  name: 'get_completions',
  title: 'Get Completions',
  effect: 'reads',
  description:
    'Completions at a position, as the language server returns them. Edits in items are zero-based.',
  input: z.object({
    ...placeInput,
    limit: whole('Return only the first so many; absent: all.').optional(),
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    const { limit } = input;
    if (limit !== undefined && limit < 1) throw new InvalidArgument(`limit must be >= 1, got ${limit}`);
    return atPlace(context, input, signal, async (query, place) => {
      const list = await during('get_completions', () =>
        completions(query.lease.server, positionOn(query, place), signal),
      );
      if (limit === undefined) return jsonResult(list);
      const begun = begunWord(shownText(query, place.path) ?? '', place.position);
      return jsonResult(bestCompletions(list, begun, limit));
    });
  },
});

/** The part of a word before the cursor. */
function begunWord(text: string, { line, character }: Position): string {
  return /[\p{L}\p{N}_$]*$/u.exec(new LineIndex(text).lineText(line).slice(0, character))?.[0] ?? '';
}
