/** The names that statements and patterns bring into scope. */
import { nameOf, nodeAt, nodesAt, type SyntaxNode } from './syntax-tree.ts';

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
