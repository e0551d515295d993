/** What occurs anywhere in a statement, bodies included: imports, and assigned variables and members. */
import { isExternalImport, leftmost } from './declared-names.ts';
import { isOnlyAName, mentionsAt } from './mention.ts';
import type { ModuleBindings } from './module-bindings.ts';
import { isNode, nameOf, nodeAt, nodesAt, type SyntaxNode } from './syntax-tree.ts';

export interface StatementSurvey {
  readonly mentions: ReadonlySet<string>;
  /** Variables that are assigned after they were declared. */
  readonly assigned: ReadonlySet<string>;
  /** The `f` of every `f.x = …`: such a member may belong to the type of `f`. */
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
    for (const [field, value] of Object.entries(node)) {
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
    else if (target.type === 'MemberExpression') this.extended.add(nameOf(leftmost(target)) ?? '');
    else for (const part of targetsIn(target)) this.#assign(part);
  }
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
