/** The outline of a file. */

import { z } from 'zod';
import { type CodeSymbol, documentSymbols, flattenSymbols, symbolKindName } from '../../code/symbol.ts';
import type { Position, Range } from '../../text/position.ts';
import { budgetInput } from '../answer-budget.ts';
import { ifNoneMatch } from '../etag.ts';
import { fileInput, inFile } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult, textResult } from '../tool-result.ts';
import { taggedAnswer } from './tagged-answer.ts';

export const listSymbols: Tool = defineTool({
  name: 'list_symbols',
  title: 'List Symbols',
  aliases: ['get_document_symbols'],
  effect: 'reads',
  description:
    'Classes, functions and variables of a file as a tree with their ranges. Lines and columns start at 1.',
  input: z.object({
    ...fileInput,
    format: z
      .enum(['json', 'outline'])
      .describe('json (default), or outline: one short line per symbol.')
      .optional(),
    if_none_match: ifNoneMatch,
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    const request = { tool: 'list_symbols', input, restsOn: 'file' } as const;
    return taggedAnswer(context, request, signal, async ({ etag, path }) => {
      const symbols = await inFile(context, input, signal, (query) =>
        during('list_symbols', () => documentSymbols(query, path, signal)),
      );
      const extras = {
        ...(symbols.length > 0 && { hint: 'blast_radius shows what depends on the symbols of this file.' }),
        meta: { etag },
      };
      return input.format === 'outline'
        ? textResult(outline(symbols), extras)
        : jsonResult(symbols.map(wireSymbol), extras);
    });
  },
});

function outline(symbols: readonly CodeSymbol[]): string {
  const lines = flattenSymbols(symbols).map(({ symbol, depth }) => {
    const { name, kind, selectionRange } = symbol;
    return `${'  '.repeat(depth)}${name} [${symbolKindName(kind)}] :${selectionRange.start.line + 1}`;
  });
  return lines.join('\n');
}

/** The shape of LSP, but one-based. */
function wireSymbol(symbol: CodeSymbol): Readonly<Record<string, unknown>> {
  const { range, selectionRange, children, ...rest } = symbol;
  return {
    ...rest,
    range: fromOne(range),
    selectionRange: fromOne(selectionRange),
    ...(children.length > 0 && { children: children.map(wireSymbol) }),
  };
}

function fromOne({ start, end }: Range): Range {
  const shift = ({ line, character }: Position): Position => ({ line: line + 1, character: character + 1 });
  return { start: shift(start), end: shift(end) };
}
