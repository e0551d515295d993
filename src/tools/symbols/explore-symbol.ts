/** Type, definition and uses of a symbol in one call. */

import { z } from 'zod';
import { callersOf, usesOf } from '../../code/caller.ts';
import { type CodeLocation, definitions } from '../../code/location.ts';
import { type Place, positionOn, type Query, shownText } from '../../code/query.ts';
import { settledAnswer } from '../../code/readiness.ts';
import { documentSymbols, enclosingSymbol } from '../../code/symbol.ts';
import { symbolSource } from '../../code/symbol-source.ts';
import { isTestFile } from '../../code/test-file.ts';
import { hoverText } from '../../lsp/feature/hover.ts';
import { budgetInput } from '../answer-budget.ts';
import { proofOf } from '../answer-proof.ts';
import { fileOf } from '../formatted-location.ts';
import { atPlace, placeInput } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { PartialAnswer } from './partial-answer.ts';
import { symbolReference } from './symbol-reference.ts';

const callersNamed = 10;
const filesNamed = 5;

export const exploreSymbol: Tool = defineTool({
  name: 'explore_symbol',
  title: 'Explore Symbol',
  listedAliases: [{ name: 'explore', title: 'Explore' }],
  effect: 'reads',
  description:
    'Everything about the symbol at a position in one call: type and documentation, source, callers, references and how many of them are in tests.',
  input: z.object({ ...placeInput, ...budgetInput }),
  async handle(context, input, signal) {
    const answer = new PartialAnswer(context.log, signal);
    return atPlace(context, input, signal, async (query, place, { live }) => {
      const timeoutMs = live.servers.readyTimeoutMs;
      const ask = () => explore(query, { place, answer }, signal);
      const { answer: payload, readiness } = await settledAnswer(query, { timeoutMs, ask }, signal);
      const meta = { ...proofOf(query, { readiness, paths: [place.path] }), ...answer.meta };
      return jsonResult(payload, { meta });
    });
  },
});

async function explore(
  query: Query,
  { place, answer }: { readonly place: Place; readonly answer: PartialAnswer },
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const [typeInfo, defined] = await Promise.all([
    during('explore_symbol (hover)', () => hoverText(query.lease.server, positionOn(query, place), signal)),
    answer.part('definition', undefined, () => definedAt(query, place, signal)),
  ]);
  const [source, callers, uses] = await Promise.all([
    answer.part('source', undefined, () => sourceOf(query, defined ?? place, signal)),
    answer.part('callers', [], () => callersOf(query, defined ?? place, signal)),
    answer.part('references', [], () => usesOf(query, defined ?? place, signal)),
  ]);
  return {
    type_info: typeInfo,
    ...(source && { source }),
    callers: callers.slice(0, callersNamed).map(symbolReference),
    callers_count: callers.length,
    references: { count: uses.length, top_files: topFiles(uses) },
    test_callers_count: uses.filter(({ path }) => path !== undefined && isTestFile(path)).length,
  };
}

/**
 * The definition of the symbol, if it is in the workspace. All uses are found from there; from an import under an
 * alias, only the uses of the alias.
 */
async function definedAt(query: Query, place: Place, signal: AbortSignal): Promise<Place | undefined> {
  const [definition] = await definitions(query, place, 'definition', signal);
  if (definition?.path === undefined) return undefined;
  await query.lease.open([definition.path]);
  return { path: definition.path, position: definition.range.start };
}

async function sourceOf(
  query: Query,
  { path, position }: Place,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const symbol = enclosingSymbol(await documentSymbols(query, path, signal), position);
  if (!symbol) return undefined;
  const { startLine, endLine, text } = symbolSource(shownText(query, path) ?? '', symbol);
  return {
    symbol_name: symbol.name,
    file: query.workspace.absolute(path),
    start_line: startLine + 1,
    end_line: endLine + 1,
    source: text,
  };
}

/** The files with the most references. */
function topFiles(uses: readonly CodeLocation[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { uri } of uses) counts.set(uri, (counts.get(uri) ?? 0) + 1);
  const ranked = [...counts].sort(([, a], [, b]) => b - a).slice(0, filesNamed);
  return ranked.map(([uri]) => fileOf(uri));
}
