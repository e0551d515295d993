/** Marks an answer that is about another declaration of the same name, and names it. */
import type { FoundByName } from '../../code/name-lookup.ts';
import type { Query } from '../../code/query.ts';
import { toHuman } from '../parameter.ts';

export function namedMeta(
  { workspace }: Query,
  named: Pick<FoundByName<unknown>, 'name' | 'place'> | undefined,
): { readonly found_by_name?: Readonly<Record<string, unknown>> } {
  if (!named) return {};
  const { path, position } = named.place;
  return { found_by_name: { name: named.name, file: workspace.absolute(path), ...toHuman(position) } };
}
