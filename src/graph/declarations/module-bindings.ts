/**
 * What the names in a file's top scope refer to: its own declarations, and its imports.
 *
 * Inner scopes are not distinguished: a parameter with the name of an import counts as a mention of it.
 *
 * Invariant: no reference to a declaration or import is omitted; some names are counted that are no references.
 */
export interface ImportUse {
  readonly specifier: string;
  /** The exported name; `*` for every name of the module. */
  readonly name: string;
  /** `import type`: re-exports of it are types only. */
  readonly isTypeOnly?: boolean;
}

export interface ImportBinding extends ImportUse {
  readonly local: string;
}

export class ModuleBindings {
  readonly #locals: ReadonlySet<string>;
  readonly #imports: ReadonlyMap<string, ImportBinding>;

  constructor(locals: Iterable<string>, imports: Iterable<ImportBinding>) {
    this.#locals = new Set(locals);
    this.#imports = new Map([...imports].map((binding) => [binding.local, binding]));
  }

  /** What a name in the text may refer to: a name of this file, or the key of an import. */
  mention(name: string | undefined): readonly string[] {
    if (name === undefined) return [];
    const binding = this.#imports.get(name);
    const keys = binding ? [useKey(binding)] : [];
    return this.#locals.has(name) ? [...keys, name] : keys;
  }

  /** What `namespace.member` refers to. A local declaration may share the namespace's name. */
  mentionMember(namespace: string, member: string): readonly string[] {
    const binding = this.#imports.get(namespace);
    const keys = binding ? [useKey({ ...binding, name: member })] : [];
    return this.#locals.has(namespace) ? [...keys, namespace] : keys;
  }

  isNamespace(name: string): boolean {
    return this.#imports.get(name)?.name === '*';
  }

  /** The name of the JSX factory depends on the configuration: it may be any import. */
  jsxMentions(): readonly string[] {
    return [...this.#imports.values()].map(useKey).concat(implicitJsxUses.map(useKey));
  }
}

const separator = '\u0000';

export function useKey({ specifier, name, isTypeOnly = false }: ImportUse): string {
  return [specifier, name, isTypeOnly ? 'type' : ''].join(separator);
}

/** The import behind a mention; undefined for a name of the file itself. */
export function useOf(key: string): ImportUse | undefined {
  const [specifier, name, kind] = key.includes(separator) ? key.split(separator) : [];
  if (specifier === undefined || name === undefined) return undefined;
  return { specifier, name, isTypeOnly: kind === 'type' };
}

/** A module that cannot be determined from the text. */
export const anyModule = '\u0001any';

/** What a file with JSX imports from a runtime that it does not name. */
export const implicitJsxNames: readonly string[] = ['jsx', 'jsxs', 'jsxDEV', 'Fragment', 'JSX'];

const implicitJsxUses: readonly ImportUse[] = implicitJsxNames.map((name) => ({
  specifier: anyModule,
  name,
}));
