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
