/** Finds all uses of a symbol. */
import { z } from 'zod';
import { type CodeLocation, definitions, type Place, references } from '../../code/location.ts';
import { askByName } from '../../code/name-lookup.ts';
import type { Query } from '../../code/query.ts';
import { settledAnswer } from '../../code/readiness.ts';
import { comparePositions } from '../../text/position.ts';
import { pagingInput, withinBudget } from '../answer-budget.ts';
import { proofOf, refuseEarlyNone } from '../answer-proof.ts';
import { formattedLocation } from '../formatted-location.ts';
import { knownProof, usesKnownAt } from '../known-answer.ts';
import { flag } from '../parameter.ts';
import { atPlace, placeInput } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult, type ToolResult } from '../tool-result.ts';
import { namedMeta } from './found-by-name.ts';

export const findReferences: Tool = defineTool({
  name: 'find_references',
  title: 'Find References',
  aliases: ['get_references'],
  effect: 'reads',
  description:
    'Every use of the symbol at a position in the whole workspace, ordered by file and line. Lines and columns start at 1.',
  input: z.object({
    ...placeInput,
    include_declaration: flag('Also list the declaration; default: false.').optional(),
    ...pagingInput,
  }),
  async handle(context, input, signal) {
    const options = { includeDeclaration: input.include_declaration ?? false };
    const reported = await usesKnownAt(context, { ...input, ...options }, signal);
    const rendered = (
      found: readonly CodeLocation[],
      proof: Readonly<Record<string, unknown>>,
    ): ToolResult => {
      const { items, meta } = withinBudget(found.map(formattedLocation), input);
      const hint = 'blast_radius on this file shows what a change here reaches.';
      return jsonResult(items, { ...(items.length > 0 && { hint }), meta: { ...proof, ...meta } });
    };
    if (reported?.found)
      return rendered(reported.found.locations, knownProof(reported.known, reported.found));
    return atPlace(context, input, signal, (query, place, view) =>
      during('find_references', async () => {
        const at = (asked: Place): Promise<readonly CodeLocation[]> =>
          references(query, asked, options, signal);
        const { answer, readiness } = await settledAnswer(
          query,
          { timeoutMs: view.live.servers.readyTimeoutMs, ask: () => at(place) },
          signal,
        );
        const isUnknown = answer.length === 0 && !(await isDeclaredAt(query, place, signal));
        const named = isUnknown ? await askByName(query, place, at, signal) : undefined;
        const found = named?.answer ?? answer;
        const provider = 'referencesProvider';
        refuseEarlyNone('references', { found: found.length, query, readiness, provider });
        const proof = proofOf(query, { readiness, paths: [place.path], provider });
        // An empty answer may mean that the server does not know the symbol, so it is not cached.
        if (answer.length > 0 && proof.indexed && proof.incomplete === undefined) {
          reported?.known.noteReferences({ ...place, index: reported.index }, options, answer);
        }
        await reported?.known.settle(query.lease, signal);
        return rendered(found, { ...proof, ...namedMeta(query, named) });
      }),
    );
  },
});

/** Whether the symbol is declared at this position: then the server knows it, and an empty answer means none. */
async function isDeclaredAt(query: Query, place: Place, signal: AbortSignal): Promise<boolean> {
  const found = await definitions(query, place, 'definition', signal);
  return found.some(
    ({ path, range }) =>
      path === place.path &&
      comparePositions(range.start, place.position) <= 0 &&
      comparePositions(place.position, range.end) <= 0,
  );
}
