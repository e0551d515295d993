/**
 * What an edit of one file changes for others, as far as the file itself shows.
 *
 * Invariant: a part that is not listed as changed is the same before and after, apart from the names it mentions.
 */
import { exportedName, type ModuleFacts, partKey } from './module-facts.ts';

export interface ModuleDifference {
  /** Parts that differ, were added or removed. */
  readonly changed: ReadonlySet<string>;
  /** Exported names that were added or removed. */
  readonly appearing: ReadonlySet<string>;
  readonly namesOtherModules: boolean;
}

/** The difference, or in words why the edit may change any file. */
export function differenceOf(before: ModuleFacts, after: ModuleFacts): ModuleDifference | string {
  if (before.dialect === 'javascript' || after.dialect === 'javascript')
    return 'JavaScript takes types from comments and assignments';
  if (before.directives !== after.directives) return 'directives to the compiler changed';
  if (before.stars.join('\n') !== after.stars.join('\n')) return 'it passes on other modules than before';
  const changed = new Set(changedParts(before, after));
  if (orderOf(before, after) !== orderOf(after, before)) changed.add(partKey.statements);
  const appearing = [...changed]
    .filter((key) => before.parts.has(key) !== after.parts.has(key))
    .map(exportedName);
  return {
    changed,
    appearing: new Set(appearing.filter((name) => name !== undefined)),
    namesOtherModules: before.specifiers.join('\n') !== after.specifiers.join('\n'),
  };
}

function changedParts(before: ModuleFacts, after: ModuleFacts): readonly string[] {
  const keys = new Set([...before.parts.keys(), ...after.parts.keys()]);
  return [...keys].filter((key) => {
    const old = before.parts.get(key);
    const young = after.parts.get(key);
    if (old === undefined || young === undefined) return true;
    return old.skeleton !== young.skeleton || !isSameSet(old.mentions, young.mentions);
  });
}

/** The execution order of the declarations that both have. */
function orderOf(facts: ModuleFacts, other: ModuleFacts): string {
  return facts.order.filter((name) => other.parts.has(name)).join(' ');
}

function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item));
}
