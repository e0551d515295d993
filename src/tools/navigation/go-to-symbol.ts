/** Finds the definition of a symbol by its dotted name. */

import { z } from 'zod';
import { type CodeLocation, definitions } from '../../code/location.ts';
import { type Query, shownText } from '../../code/query.ts';
import { documentSymbols, flattenSymbols } from '../../code/symbol.ts';
import { nameRange } from '../../code/symbol-name.ts';
import { comparePositions, LineIndex } from '../../text/position.ts';
import { budgetInput } from '../answer-budget.ts';
import { proofOf } from '../answer-proof.ts';
import { formattedLocation } from '../formatted-location.ts';
import { word } from '../parameter.ts';
import { withServer } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult, textResult } from '../tool-result.ts';
import { bestMatch, type Candidate, namesOf } from './symbol-choice.ts';
import { type FoundSymbol, searchSymbols } from './symbol-search.ts';

export const goToSymbol: Tool = defineTool({
  name: 'go_to_symbol',
  title: 'Go to Symbol',
  effect: 'reads',
  description:
    'The definition of a symbol by name: Type.method, package.Function or a plain name. Lines and columns start at 1.',
  input: z.object({
    symbol_path: word('Name of the symbol, dotted if it is a member.'),
    workspace_root: word('Search only this workspace.').optional(),
    language: word('Ask only the server of this language.').optional(),
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    const { symbol_path, workspace_root: root, language } = input;
    return during('go_to_symbol', async () => {
      const wanted = namesOf(symbol_path);
      const search = await searchSymbols(context, { name: wanted.at(-1) ?? '', root, language }, signal);
      const candidates = await Promise.all(search.found.map((found) => candidateOf(found, wanted, signal)));
      const best = bestMatch(candidates, wanted);
      if (!best) {
        return textResult(`no symbols found for symbol_path: ${symbol_path}`, { meta: search.meta });
      }
      const { locations, meta } = await define(best.found, signal);
      return jsonResult(locations.map(formattedLocation), {
        hint: 'call inspect_symbol or find_references there.',
        meta: { ...search.meta, ...meta },
      });
    });
  },
});

/** Not every server names the container of a symbol; the outline of its file shows it. */
async function candidateOf(
  found: FoundSymbol,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<Candidate<FoundSymbol>> {
  const { name, containerName, location } = found.symbol;
  const reported = namesOf(containerName ?? '');
  const names = [...reported, ...namesOf(name)];
  const candidate = { found, names, file: location.path ?? location.uri };
  const isAsked = wanted.length > 1 && names.length === 1 && names.at(-1) === wanted.at(-1);
  if (!isAsked || location.path === undefined) return candidate;
  return { ...candidate, names: await outlineNames(found, names, signal) };
}

async function outlineNames(
  { symbol, view }: FoundSymbol,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { path, range } = symbol.location;
  if (path === undefined) return names;
  const language = view.languageFor(path);
  return withServer(view, { language, show: (lease) => lease.open([path]) }, signal, async (query) => {
    const flat = flattenSymbols(await documentSymbols(query, path, signal));
    const own = flat.find(
      (each) =>
        comparePositions(each.symbol.range.start, range.start) <= 0 &&
        comparePositions(range.start, each.symbol.range.end) <= 0 &&
        each.symbol.name === symbol.name,
    );
    return own ? namesOf(own.dottedName) : names;
  });
}

/** The definition of the symbol according to the server; the symbol's own position if the server gives none. */
async function define(
  { symbol, view }: FoundSymbol,
  signal: AbortSignal,
): Promise<{
  readonly locations: readonly CodeLocation[];
  readonly meta: Readonly<Record<string, unknown>>;
}> {
  const { location } = symbol;
  const { path } = location;
  if (path === undefined) return { locations: [location], meta: {} };
  const language = view.languageFor(path);
  return withServer(view, { language, show: (lease) => lease.open([path]) }, signal, async (query) => {
    const position = nameStart(query, symbol);
    const defined = await definitions(query, { path, position }, 'definition', signal);
    const meta = { ...proofOf(query, { readiness: query.readiness, paths: [path] }) };
    return { locations: defined.length > 0 ? defined : [location], meta };
  });
}

function nameStart(query: Query, { name, location }: FoundSymbol['symbol']): CodeLocation['range']['start'] {
  const { path, range } = location;
  const text = path === undefined ? undefined : shownText(query, path);
  if (text === undefined) return range.start;
  return nameRange(new LineIndex(text), { name, range, selectionRange: range }).start;
}
