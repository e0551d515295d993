/**
 * What one file declares, exports and imports, and which names its declarations depend on.
 *
 * Besides its declarations a file has parts without a name in the text, keyed by a character that no name contains:
 * `>name` for each exported name, `=name` for assignments to a variable (they narrow its type inside the file only),
 * `;` for the statements of the module, `+name` for what the file adds to a name of another module, and `!` for what
 * it declares for every file: globals, ambient modules and the names of a script.
 *
 * Invariant: a part with the same skeleton and mentions gives other files the same types, as long as what it mentions
 * does.
 */
import { type ImportUse, useKey, useOf } from './module-bindings.ts';
import type { SyntaxTree } from './syntax-tree.ts';

/** A declaration, or one of the other parts. */
export interface ModulePart {
  readonly skeleton: string;
  /** Parts of the same file, and keys of what it imports. */
  readonly mentions: ReadonlySet<string>;
}

export interface ModuleFacts {
  readonly parts: ReadonlyMap<string, ModulePart>;
  /** Everything the file imports, by key, wherever it is used. */
  readonly uses: ReadonlyMap<string, ImportUse>;
  /** The modules it re-exports as a whole: `export * from`. */
  readonly stars: readonly string[];
  /** Every module it names. */
  readonly specifiers: readonly string[];
  /** Its variables, classes, enumerations and statements in execution order. */
  readonly order: readonly string[];
  /** Comments and attributes that affect the compiler. */
  readonly directives: string;
  readonly dialect: SyntaxTree['dialect'];
}

/** The keys of the parts that are no declarations. */
export const partKey = {
  statements: ';',
  global: '!',
  /** `export =`. */
  assignment: '>',
  exported: (name: string): string => `>${name}`,
  /** What `declare module` adds to a name of another module. */
  augmented: (specifier: string, name: string): string => `+${useKey({ specifier, name })}`,
  assigned: (variable: string): string => `=${variable}`,
} as const;

/** The name that a part exports, if it is an export. */
export function exportedName(key: string): string | undefined {
  return key.startsWith('>') && key.length > 1 ? key.slice(1) : undefined;
}

/** The name of another module that a part augments, if it does. */
export function augmentedName(key: string): ImportUse | undefined {
  return key.startsWith('+') ? useOf(key.slice(1)) : undefined;
}

/** The parts that mention a key, indexed on first use. */
export function partsMentioning(facts: ModuleFacts, key: string): readonly string[] {
  let byMention = mentionIndexes.get(facts);
  if (!byMention) {
    byMention = new Map();
    for (const [part, { mentions }] of facts.parts)
      for (const mention of mentions) push(byMention, mention, part);
    mentionIndexes.set(facts, byMention);
  }
  return byMention.get(key) ?? [];
}

/** The imports of the file with this name, by key. */
export function useEntriesOf(facts: ModuleFacts, name: string): readonly UseEntry[] {
  let byName = useIndexes.get(facts);
  if (!byName) {
    byName = new Map();
    for (const entry of facts.uses) push(byName, entry[1].name, entry);
    useIndexes.set(facts, byName);
  }
  return byName.get(name) ?? [];
}

type UseEntry = readonly [key: string, use: ImportUse];

const mentionIndexes = new WeakMap<ModuleFacts, Map<string, string[]>>();
const useIndexes = new WeakMap<ModuleFacts, Map<string, UseEntry[]>>();

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/**
 * What an edit of one file changes for others, as far as the file itself shows. A part that is not listed as changed is the
 * same before and after, apart from the names it mentions.
 */
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
