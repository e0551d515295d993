/**
 * What the statements of a module say: the names they declare, the imports they mention, the variables and members they
 * assign, and the effect of that on the types of its variables.
 *
 * Inside its file a variable has the type of its last assignment or test, so a declaration that takes its type from a
 * variable depends on earlier assignments and statements. Other files see the declared type.
 */
import { type ImportBinding, isOnlyAName, type ModuleBindings, mentionsAt, partKey } from './module-facts.ts';
import { isNode, nameOf, nodeAt, nodesAt, type SyntaxNode } from './syntax-tree.ts';

export interface StatementSurvey {
  readonly mentions: ReadonlySet<string>;
  /** Variables that are assigned after they were declared. */
  readonly assigned: ReadonlySet<string>;
  /**
   * The `f` of every `f.x = …`: such a member may belong to the type of `f`. A member of its prototype never does, whatever
   * the prototype is.
   */
  readonly extended: ReadonlySet<string>;
}

export function surveyOf(statement: SyntaxNode, bindings: ModuleBindings): StatementSurvey {
  const survey = new Surveyor(bindings);
  // An import statement names what it binds, which is not yet a use.
  if (statement.type !== 'ImportDeclaration' && !isExternalImport(statement)) survey.visit(statement, 'any');
  return survey;
}

class Surveyor implements StatementSurvey {
  readonly mentions = new Set<string>();
  readonly assigned = new Set<string>();
  readonly extended = new Set<string>();
  readonly #bindings: ModuleBindings;

  constructor(bindings: ModuleBindings) {
    this.#bindings = bindings;
  }

  /** `name` marks a node that is only the name of something, such as of a property. */
  visit(node: SyntaxNode, role: 'any' | 'name'): void {
    if (role === 'any') for (const key of mentionsAt(node, this.#bindings)) this.mentions.add(key);
    this.#assign(assignedBy(node));
    for (const field in node) {
      const value = node[field];
      if (isNode(value)) this.visit(value, isOnlyAName(node, field, this.#bindings) ? 'name' : 'any');
      else if (Array.isArray(value)) this.#visitAll(value);
    }
  }

  #visitAll(items: readonly unknown[]): void {
    for (const item of items) if (isNode(item)) this.visit(item, 'any');
  }

  #assign(target: SyntaxNode | undefined): void {
    if (target === undefined) return;
    if (target.type === 'Identifier') this.assigned.add(nameOf(target) ?? '');
    else if (target.type !== 'MemberExpression') for (const part of targetsIn(target)) this.#assign(part);
    else if (!isPrototype(nodeAt(target, 'object'))) this.extended.add(nameOf(leftmost(target)) ?? '');
  }
}

/** `f.prototype`. */
function isPrototype(node: SyntaxNode | undefined): boolean {
  return (
    node?.type === 'MemberExpression' &&
    nodeAt(node, 'object')?.type === 'Identifier' &&
    nameOf(nodeAt(node, 'property')) === 'prototype'
  );
}

function assignedBy(node: SyntaxNode): SyntaxNode | undefined {
  switch (node.type) {
    case 'AssignmentExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
      return nodeAt(node, 'left');
    case 'UpdateExpression':
      return nodeAt(node, 'argument');
    default:
      return undefined;
  }
}

/** The targets inside a pattern, or behind parentheses and assertions. */
function targetsIn(target: SyntaxNode): readonly SyntaxNode[] {
  const inner = ['left', 'value', 'argument', 'expression']
    .map((field) => nodeAt(target, field))
    .filter(isNode);
  return target.type === 'VariableDeclaration'
    ? []
    : [...inner, ...nodesAt(target, 'properties'), ...nodesAt(target, 'elements')];
}

/** The declaration inside an export, or the statement itself. */
export function declarationIn(statement: SyntaxNode): SyntaxNode {
  const isExport =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
  return (isExport ? nodeAt(statement, 'declaration') : undefined) ?? statement;
}

/** The names a declaration declares; none if it is no declaration, or declares for other modules. */
export function declaredNames(declaration: SyntaxNode): readonly string[] {
  switch (declaration.type) {
    case 'VariableDeclaration':
      return nodesAt(declaration, 'declarations').flatMap((declarator) =>
        patternNames(nodeAt(declarator, 'id')),
      );
    case 'TSModuleDeclaration':
      return isForOthers(declaration) ? [] : names(leftmost(nodeAt(declaration, 'id')));
    case 'TSImportEqualsDeclaration':
      return isExternalImport(declaration) ? [] : names(nodeAt(declaration, 'id'));
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
      return names(nodeAt(declaration, 'id'));
    default:
      return [];
  }
}

/** `declare global` and `declare module 'name'`. */
export function isForOthers(declaration: SyntaxNode): boolean {
  return (
    declaration.type === 'TSModuleDeclaration' &&
    (declaration.kind === 'global' || nodeAt(declaration, 'id')?.type === 'Literal')
  );
}

/** `import name = require('module')`. */
export function isExternalImport(declaration: SyntaxNode): boolean {
  return (
    declaration.type === 'TSImportEqualsDeclaration' &&
    nodeAt(declaration, 'moduleReference')?.type === 'TSExternalModuleReference'
  );
}

/** The names that a pattern binds. */
export function patternNames(pattern: SyntaxNode | undefined): readonly string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return names(pattern);
    case 'ObjectPattern':
      return nodesAt(pattern, 'properties').flatMap((property) =>
        patternNames(property.type === 'RestElement' ? property : nodeAt(property, 'value')),
      );
    case 'ArrayPattern':
      return nodesAt(pattern, 'elements').flatMap(patternNames);
    case 'RestElement':
      return patternNames(nodeAt(pattern, 'argument'));
    case 'AssignmentPattern':
      return patternNames(nodeAt(pattern, 'left'));
    case 'TSParameterProperty':
      return patternNames(nodeAt(pattern, 'parameter'));
    default:
      return [];
  }
}

/** The first name of `a.b.c`. */
export function leftmost(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let root = node;
  while (root !== undefined && root.type !== 'Identifier')
    root = nodeAt(root, 'left') ?? nodeAt(root, 'object') ?? nodeAt(root, 'expression');
  return root;
}

function names(node: SyntaxNode | undefined): readonly string[] {
  const name = nameOf(node);
  return name === undefined ? [] : [name];
}

export interface NamedPart {
  /** Whether a variable: a constant may store the result of a test. */
  isVariable: boolean;
  skeleton: string;
  readonly mentions: Set<string>;
  /** Every other name in it that may be a reference to a value, whatever it refers to. */
  readonly values: Set<string>;
}

/** Adds to each part the assignments and statements that narrow what it mentions. `narrowed` are narrowed without being tested. */
export function mentionFlow(parts: ReadonlyMap<string, NamedPart>, narrowed: ReadonlySet<string>): void {
  const tested = testedNames(parts);
  for (const [key, part] of parts) {
    // An exported name refers to the variable itself, and a block for other modules (`declare global`) has a control flow
    // of its own: neither sees a narrowed type.
    if (/^[>!+]/.test(key)) continue;
    for (const name of part.mentions)
      if (parts.has(partKey.assigned(name))) part.mentions.add(partKey.assigned(name));
    const rests = narrowable(part, parts).some((name) => tested.has(name) || narrowed.has(name));
    if (rests && key !== partKey.statements) part.mentions.add(partKey.statements);
  }
}

/** The names that statements may narrow, and those behind a variable that stores the result of a test. */
function testedNames(parts: ReadonlyMap<string, NamedPart>): ReadonlySet<string> {
  const tested = new Set(narrowable(parts.get(partKey.statements), parts));
  // A Set iterates over elements added during the iteration.
  for (const name of tested) {
    const part = parts.get(name);
    if (part?.isVariable) for (const behind of narrowable(part, parts)) tested.add(behind);
  }
  return tested;
}

/** Variables and what is imported can be narrowed; of a function, a class or a namespace only its members. */
function narrowable(part: NamedPart | undefined, parts: ReadonlyMap<string, NamedPart>): readonly string[] {
  return [...(part?.values ?? [])].flatMap((value) => {
    if (value.endsWith('.')) return value.slice(0, -1);
    return parts.get(value)?.isVariable === false ? [] : value;
  });
}

/** The names that an import statement binds. */
export function importBindingsIn(statement: SyntaxNode): readonly ImportBinding[] {
  const declaration = nodeAt(statement, 'declaration') ?? statement;
  if (isExternalImport(declaration)) return [requireBinding(declaration)].flat();
  if (statement.type !== 'ImportDeclaration') return [];
  const specifier = nameOf(nodeAt(statement, 'source')) ?? '';
  return nodesAt(statement, 'specifiers').flatMap((part) => {
    const local = nameOf(nodeAt(part, 'local'));
    if (local === undefined) return [];
    const isTypeOnly = statement.importKind === 'type' || part.importKind === 'type';
    return [{ local, specifier, name: importedName(part), isTypeOnly }];
  });
}

/** The module an import or export statement names. */
export function specifierOf(statement: SyntaxNode): string | undefined {
  const declaration = nodeAt(statement, 'declaration') ?? statement;
  const source = isExternalImport(declaration)
    ? nodeAt(nodeAt(declaration, 'moduleReference') ?? declaration, 'expression')
    : nodeAt(statement, 'source');
  return nameOf(source);
}

function requireBinding(declaration: SyntaxNode): readonly ImportBinding[] {
  const local = nameOf(nodeAt(declaration, 'id'));
  const specifier = specifierOf(declaration);
  const isTypeOnly = declaration.importKind === 'type';
  return local === undefined || specifier === undefined ? [] : [{ local, specifier, name: '*', isTypeOnly }];
}

function importedName(part: SyntaxNode): string {
  if (part.type === 'ImportDefaultSpecifier') return 'default';
  return part.type === 'ImportNamespaceSpecifier' ? '*' : (nameOf(nodeAt(part, 'imported')) ?? '*');
}
