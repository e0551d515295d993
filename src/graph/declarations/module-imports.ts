/** The names that a file's import statements bind. */
import { isExternalImport } from './declared-names.ts';
import type { ImportBinding } from './module-bindings.ts';
import { nameOf, nodeAt, nodesAt, type SyntaxNode } from './syntax-tree.ts';

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
