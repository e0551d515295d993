/**
 * The four go-to tools.
 *
 * Invariant: they differ only in the request they send and in their texts.
 */
import { z } from 'zod';
import { type CodeLocation, definitions, type Place } from '../../code/location.ts';
import { askByName } from '../../code/name-lookup.ts';
import { settledAnswer } from '../../code/readiness.ts';
import type { DefinitionKind } from '../../lsp/feature/definition.ts';
import { pagingInput, withinBudget } from '../answer-budget.ts';
import { proofOf, refuseEarlyNone } from '../answer-proof.ts';
import { formattedLocation } from '../formatted-location.ts';
import { atPlace, placeInput } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { namedMeta } from './found-by-name.ts';

interface GoTo {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: DefinitionKind;
  /** Absent if there is no typical next step. */
  readonly hint?: string;
  /** Whether to search by name if the server finds nothing at the position. */
  readonly fallback: 'by-name' | 'none';
}

export const goToDefinition: Tool = goTo({
  name: 'go_to_definition',
  title: 'Go to Definition',
  description: 'The definition of the symbol at a position. Lines and columns start at 1.',
  kind: 'definition',
  hint: 'inspect_symbol there shows its type and documentation.',
  fallback: 'by-name',
});

export const goToTypeDefinition: Tool = goTo({
  name: 'go_to_type_definition',
  title: 'Go to Type Definition',
  description: 'The definition of the type of the value at a position. Lines and columns start at 1.',
  kind: 'typeDefinition',
  fallback: 'none',
});

export const goToImplementation: Tool = goTo({
  name: 'go_to_implementation',
  title: 'Go to Implementation',
  description:
    'The implementations of the interface, or overrides of the member, at a position. Lines and columns start at 1.',
  kind: 'implementation',
  hint: 'find_references on an implementation shows its uses.',
  fallback: 'none',
});

export const goToDeclaration: Tool = goTo({
  name: 'go_to_declaration',
  title: 'Go to Declaration',
  description:
    'The declaration of the symbol at a position, such as the header in C or C++. Lines and columns start at 1.',
  kind: 'declaration',
  fallback: 'none',
});

function goTo({ name, title, description, kind, hint, fallback }: GoTo): Tool {
  return defineTool({
    name,
    title,
    effect: 'reads',
    description,
    input: z.object({ ...placeInput, ...pagingInput }),
    handle(context, input, signal) {
      return atPlace(context, input, signal, (query, place, view) =>
        during(name, async () => {
          const at = (asked: Place): Promise<readonly CodeLocation[]> =>
            definitions(query, asked, kind, signal);
          const options = { timeoutMs: view.live.servers.readyTimeoutMs, ask: () => at(place) };
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
