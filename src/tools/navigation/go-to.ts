/**
 * What the four tools that lead from a name to a place have in common.
 *
 * Invariant: they differ in the question they put to the server and in nothing else.
 */
import { z } from 'zod';
import { type CodeLocation, definitions, type Place } from '../../code/location.ts';
import { askByName } from '../../code/name-lookup.ts';
import { settledAnswer } from '../../code/readiness.ts';
import type { DefinitionKind } from '../../lsp/feature/definition.ts';
import { pagingInput, withinBudget } from '../answer-budget.ts';
import { proofOf, refuseEarlyNone } from '../answer-proof.ts';
import { during } from '../failure.ts';
import { formattedLocation } from '../formatted-location.ts';
import { atPlace, placeInput } from '../read-file-tool.ts';
import { defineTool, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { namedMeta } from './found-by-name.ts';

interface GoTo {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: DefinitionKind;
  /** Absent where there is nothing in particular to do next. */
  readonly hint?: string;
  /** Whether the name is tried by itself where the server finds nothing at the place. */
  readonly fallback: 'by-name' | 'none';
}

export function goTo({ name, title, description, kind, hint, fallback }: GoTo): Tool {
  return defineTool({
    name,
    title,
    effect: 'reads',
    description,
    input: z.object({ ...placeInput, ...pagingInput }),
    handle(context, input, signal) {
      return atPlace(context, input, signal, (query, place, open) =>
        during(name, async () => {
          const at = (asked: Place): Promise<readonly CodeLocation[]> =>
            definitions(query, asked, kind, signal);
          const options = { timeoutMs: open.live.servers.readyTimeoutMs, ask: () => at(place) };
          const { answer, readiness } = await settledAnswer(query, options, signal);
          const named =
            answer.length === 0 && fallback === 'by-name'
              ? await askByName(query, place, at, signal)
              : undefined;
          const found = named?.answer ?? answer;
          refuseEarlyNone(title.toLowerCase(), {
            found: found.length,
            query,
            readiness,
            provider: `${kind}Provider`,
          });
          const { items, meta } = withinBudget(found.map(formattedLocation), input);
          return jsonResult(items, {
            ...(items.length > 0 && hint !== undefined && { hint }),
            meta: {
              ...proofOf(query, { readiness, paths: [place.path], provider: `${kind}Provider` }),
              ...namedMeta(query, named),
              ...meta,
            },
          });
        }),
      );
    },
  });
}
