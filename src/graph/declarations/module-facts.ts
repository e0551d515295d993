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
import { nameOf, nodeAt, nodesAt, type SyntaxNode, type SyntaxTree } from './syntax-tree.ts';

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
  /** Those of them whose values it does not re-export: `export type * from`. */
  readonly typeStars: readonly string[];
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
  /** What it exports, if that is no name. */
  assignmentValue: 'export',
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
  const passedOn = ({ stars, typeStars }: ModuleFacts) => [...stars, '', ...typeStars].join('\n');
  if (passedOn(before) !== passedOn(after)) return 'it passes on other modules than before';
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

/**
 * What the names in a file's top scope refer to: its own declarations, and its imports. Inner scopes are not
 * distinguished: a parameter with the name of an import counts as a mention of it. So no reference is omitted, and some
 * names are counted that are none.
 */
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

/** The names a node itself mentions, without its children. */
export function mentionsAt(node: SyntaxNode, bindings: ModuleBindings): readonly string[] {
  switch (node.type) {
    case 'Identifier':
    case 'JSXIdentifier':
      return bindings.mention(nameOf(node));
    case 'MemberExpression':
    case 'TSQualifiedName':
    case 'JSXMemberExpression':
      return memberMention(node, bindings);
    case 'TSImportType':
    case 'ImportExpression':
      return importMention(node);
    case 'CallExpression':
      return requireMention(node);
    case 'JSXElement':
    case 'JSXFragment':
      return bindings.jsxMentions();
    default:
      return [];
  }
}

function memberMention(node: SyntaxNode, bindings: ModuleBindings): readonly string[] {
  const root = namespaceRoot(node, bindings);
  const member = nameOf(nodeAt(node, node.type === 'TSQualifiedName' ? 'right' : 'property'));
  return root !== undefined && member !== undefined ? bindings.mentionMember(root, member) : [];
}

/** The namespace import that a plain `ns.member` is taken from. */
function namespaceRoot(node: SyntaxNode, bindings: ModuleBindings): string | undefined {
  if (node.computed === true) return undefined;
  const root = nodeAt(node, node.type === 'TSQualifiedName' ? 'left' : 'object');
  const name = root?.type === 'Identifier' || root?.type === 'JSXIdentifier' ? nameOf(root) : undefined;
  return name !== undefined && bindings.isNamespace(name) ? name : undefined;
}

/** `require` is an ordinary function in TypeScript and an import in JavaScript. */
function requireMention(node: SyntaxNode): readonly string[] {
  const callee = nodeAt(node, 'callee');
  if (callee?.type !== 'Identifier' || callee.name !== 'require') return [];
  return [useKey({ specifier: literalOf(nodesAt(node, 'arguments')[0]) ?? anyModule, name: '*' })];
}

/** The specifier that a literal spells; a variable of the same name spells none. */
function literalOf(node: SyntaxNode | undefined): string | undefined {
  return node?.type === 'Literal' ? nameOf(node) : undefined;
}

function importMention(node: SyntaxNode): readonly string[] {
  const specifier = literalOf(nodeAt(node, 'source'));
  if (specifier === undefined) return [useKey({ specifier: anyModule, name: '*' })];
  let qualifier = nodeAt(node, 'qualifier');
  while (qualifier?.type === 'TSQualifiedName') qualifier = nodeAt(qualifier, 'left');
  return [useKey({ specifier, name: nameOf(qualifier) ?? '*' })];
}

/** Fields whose identifier names a member or a label, or a namespace whose member was recorded already. */
export function isOnlyAName(node: SyntaxNode, field: string, bindings: ModuleBindings): boolean {
  switch (field) {
    case 'property':
      return (
        node.type === 'JSXMemberExpression' || (node.type === 'MemberExpression' && node.computed !== true)
      );
    case 'object':
      return namespaceRoot(node, bindings) !== undefined;
    case 'left':
      return node.type === 'TSQualifiedName' && namespaceRoot(node, bindings) !== undefined;
    case 'right':
      return node.type === 'TSQualifiedName';
    case 'key':
      return node.computed !== true;
    case 'qualifier':
      return nodeAt(node, field)?.type === 'Identifier';
    case 'name':
      return node.type === 'JSXAttribute';
    case 'label':
      return true;
    default:
      return false;
  }
}
