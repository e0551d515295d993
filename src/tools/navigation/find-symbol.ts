/** Finds symbols of the workspace by name. */
import { z } from 'zod';
import { positionOn, shownText } from '../../code/query.ts';
import { symbolKindName, symbolKindNames, type WorkspaceSymbol } from '../../code/symbol.ts';
import { nameRange } from '../../code/symbol-name.ts';
import { hoverText } from '../../lsp/feature/hover.ts';
import { LineIndex } from '../../text/position.ts';
import { budgetInput, withinBudget } from '../answer-budget.ts';
import { InvalidArgument } from '../failure.ts';
import { text, whole, word } from '../parameter.ts';
import { withServer } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { type FoundSymbol, searchSymbols } from './symbol-search.ts';

const defaultWindow = 3;

export const findSymbol: Tool = defineTool({
  name: 'find_symbol',
  title: 'Find Symbol',
  aliases: ['get_workspace_symbols'],
  effect: 'reads',
  description:
    'Functions, types and other symbols of the workspace whose name matches. detail_level hover adds signature and documentation to some of them. Positions are zero-based as in LSP.',
  input: z.object({
    query: text('The name or a part of it; empty lists all.').optional(),
    detail_level: z
      .enum(['basic', 'hover'])
      .describe('basic (default): names and positions. hover: also hover text for some of them.')
      .optional(),
    limit: whole(
      'At most this many symbols; default: all that fit. With hover: number of those with hover text; default: 3.',
    ).optional(),
    offset: whole('Number of symbols to skip; default: 0.').optional(),
    symbol_kind_filter: word('Only symbols of this kind, e.g. Function, Class, Interface.').optional(),
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    const isWanted = kindFilter(input.symbol_kind_filter);
    return during('find_symbol', async () => {
      const search = await searchSymbols(context, { name: input.query ?? '' }, signal);
      const found = search.found.filter(({ symbol }) => isWanted(symbol));
      const symbols = found.map(({ symbol }) => symbolInformation(symbol));
      const hint = found.length > 0 ? { hint: 'inspect_symbol on one of them shows its type.' } : {};
      if (input.detail_level !== 'hover') {
        const listed = withinBudget(symbols, input);
        return jsonResult(listed.items, { ...hint, meta: { ...search.meta, ...listed.meta } });
      }
      // With hover text, limit and offset choose the symbols that get it.
      const offset = Math.max(0, input.offset ?? 0);
      const limit = Math.max(1, input.limit ?? defaultWindow);
      const enriched: Readonly<Record<string, unknown>>[] = [];
      for (const each of found.slice(offset, offset + limit)) enriched.push(await enrich(each, signal));
      return jsonResult(
        {
          total: found.length,
          symbols,
          ...(enriched.length > 0 && {
            enriched,
            pagination: { offset, limit, more: offset + limit < found.length },
          }),
          indexed: search.meta.indexed,
        },
        { ...hint, meta: search.meta },
      );
    });
  },
});

function symbolInformation(symbol: WorkspaceSymbol): Readonly<Record<string, unknown>> {
  const { name, kind, tags, deprecated, containerName, location } = symbol;
  return {
    name,
    kind,
    ...(tags && { tags }),
    ...(deprecated !== undefined && { deprecated }),
    location: { uri: location.uri, range: location.range },
    ...(containerName !== undefined && { containerName }),
  };
}

/** Adds the server's hover text at the symbol's name, if there is any. */
async function enrich(
  { symbol, view }: FoundSymbol,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const { path, range } = symbol.location;
  const plain = symbolInformation(symbol);
  if (path === undefined) return plain;
  const language = view.languageFor(path);
  return withServer(view, { language, show: (lease) => lease.open([path]) }, signal, async (query) => {
    const shown = shownText(query, path);
    const named = { name: symbol.name, range, selectionRange: range };
    const { start } = shown === undefined ? range : nameRange(new LineIndex(shown), named);
    const hover = await hoverText(query.lease.server, positionOn(query, { path, position: start }), signal);
    return hover === '' ? plain : { ...plain, hover };
  });
}

function kindFilter(name: string | undefined): (symbol: WorkspaceSymbol) => boolean {
  if (name === undefined) return () => true;
  const kind = symbolKindNames.find((each) => each.toLowerCase() === name.toLowerCase());
  if (kind === undefined) {
    throw new InvalidArgument(`symbol_kind_filter must be one of: ${symbolKindNames.join(', ')}`);
  }
  return (symbol) => symbolKindName(symbol.kind) === kind;
}
