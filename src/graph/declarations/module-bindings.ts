/**
 * What the names in a file's top scope refer to (its own declarations, and its imports), and which of them a syntax node
 * mentions.
 *
 * Inner scopes are not distinguished: a parameter with the name of an import counts as a mention of it.
 *
 * Invariant: no reference to a declaration or import is omitted; some names are counted that are no references.
 */
import { nameOf, nodeAt, nodesAt, type SyntaxNode } from './syntax-tree.ts';

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
