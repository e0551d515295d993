/** The source of the symbol at a position. */

import { z } from 'zod';
import { shownText } from '../../code/query.ts';
import { documentSymbols, enclosingSymbol, symbolKindName } from '../../code/symbol.ts';
import { symbolSource } from '../../code/symbol-source.ts';
import { budgetInput } from '../answer-budget.ts';
import { ifNoneMatch } from '../etag.ts';
import { InvalidArgument } from '../failure.ts';
import { whole } from '../parameter.ts';
import { atPlace, placeInput } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { taggedAnswer } from './tagged-answer.ts';

export const getSymbolSource: Tool = defineTool({
  name: 'get_symbol_source',
  title: 'Get Symbol Source',
  effect: 'reads',
  description: 'Source of the innermost function, class or other symbol around a position.',
  input: z.object({
    ...placeInput,
    column: whole('Column in UTF-16 units, from 1; default: 1.').optional(),
    character: whole('Another name for column.').optional(),
    if_none_match: ifNoneMatch,
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    const request = { tool: 'get_symbol_source', input, restsOn: 'file' } as const;
    const place = { ...input, column: input.column ?? input.character ?? 1 };
    return taggedAnswer(context, request, signal, ({ etag }) =>
      atPlace(context, place, signal, async (query, { path, position }) => {
        const symbols = await during('get_symbol_source', () => documentSymbols(query, path, signal));
        const symbol = enclosingSymbol(symbols, position);
        if (!symbol) throw new InvalidArgument('no symbol found at the given position', notHere);
        const source = symbolSource(shownText(query, path) ?? '', symbol);
        return jsonResult({
          symbol_name: symbol.name,
          symbol_kind: symbolKindName(symbol.kind),
          start_line: source.startLine + 1,
          end_line: source.endLine + 1,
          source: source.text,
          etag,
        });
      }),
    );
  },
});

const notHere = 'Call list_symbols to see the lines of each symbol.';
