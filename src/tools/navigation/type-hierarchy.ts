/** Finds the supertypes and subtypes of a type. */
import { z } from 'zod';
import { subtypes, supertypes, typeItems } from '../../code/hierarchy.ts';
import { typeDirections } from '../../lsp/feature/type-hierarchy.ts';
import { budgetInput } from '../answer-budget.ts';
import { InvalidArgument } from '../failure.ts';
import { placeInput } from '../read-file-tool.ts';
import { defineTool, type Tool } from '../tool.ts';
import { atHierarchy, type Hierarchy, relativesOf, unsupportedIn } from './at-hierarchy.ts';
import { wireItem } from './wire-hierarchy.ts';

export const typeHierarchy: Tool = defineTool({
  name: 'type_hierarchy',
  title: 'Type Hierarchy',
  effect: 'reads',
  description:
    'Types that the one at a position extends or implements, and types that extend or implement it. Positions in the answer are zero-based as in LSP.',
  input: z.object({
    ...placeInput,
    direction: z
      .string()
      // The directions of the call hierarchy are accepted too, but not advertised.
      .meta({ enum: ['supertypes', 'subtypes', 'both'] })
      .describe('supertypes: types it extends. subtypes: types that extend it. both (default).')
      .optional(),
    ...budgetInput,
  }),
  handle(context, input, signal) {
    const direction = readDirection(input.direction);
    return atHierarchy(context, input, hierarchyOfTypes, signal, async (query, items) => {
      const related = (of: typeof supertypes) => relativesOf(items, (item) => of(query, item, signal));
      const above = direction === 'subtypes' ? [] : await related(supertypes);
      const below = direction === 'supertypes' ? [] : await related(subtypes);
      const unsupported = unsupportedIn({
        [typeDirections.supertypes]: above,
        [typeDirections.subtypes]: below,
      });
      const payload = {
        items: items.map(wireItem),
        ...(direction !== 'subtypes' && { supertypes: (above ?? []).map(wireItem) }),
        ...(direction !== 'supertypes' && { subtypes: (below ?? []).map(wireItem) }),
      };
      return { payload, meta: unsupported };
    });
  },
});

const hierarchyOfTypes: Hierarchy = {
  tool: 'type_hierarchy',
  what: 'type',
  provider: 'typeHierarchyProvider',
  itemsAt: typeItems,
};

type Direction = 'supertypes' | 'subtypes' | 'both';

const directions: Readonly<Record<string, Direction>> = {
  supertypes: 'supertypes',
  subtypes: 'subtypes',
  both: 'both',
  incoming: 'supertypes',
  outgoing: 'subtypes',
};

function readDirection(name = 'both'): Direction {
  const direction = Object.hasOwn(directions, name) ? directions[name] : undefined;
  if (!direction) throw new InvalidArgument('direction must be one of: supertypes, subtypes, both');
  return direction;
}
