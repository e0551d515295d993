/**
 * What is found anywhere in a statement, bodies included: what it takes from other modules, and which variables and
 * members it assigns.
 */
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
  const mentions = new Set<string>();
  const assigned = new Set<string>();
  const extended = new Set<string>();
  const assign = (target: SyntaxNode | undefined): void => {
    if (target?.type === 'Identifier') assigned.add(nameOf(target) ?? '');
    else if (target?.type === 'MemberExpression') extended.add(nameOf(leftmost(target)) ?? '');
    else for (const part of target ? targetsIn(target) : []) assign(part);
  };
  const visit = (node: SyntaxNode, isOnlyName: boolean): void => {
    if (!isOnlyName) for (const key of mentionsAt(node, bindings)) mentions.add(key);
    assign(assignedBy(node));
    for (const [field, value] of Object.entries(node)) {
      if (isNode(value)) visit(value, isOnlyAName(node, field, bindings));
      else if (Array.isArray(value)) for (const item of value) if (isNode(item)) visit(item, false);
    }
  };
  // An import names what it binds, which is no use of it yet.
  if (statement.type !== 'ImportDeclaration' && !isExternalImport(statement)) visit(statement, false);
  return { mentions, assigned, extended };
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
