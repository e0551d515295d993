import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

test.each<[string, readonly string[]]>([
  ['export const a = 1, b = 2;', ['a', 'b']],
  ['export const { a, c: [b] } = given;', ['a', 'b']],
  [
    'export interface A {} export type B = A; export class C {} export async function d() {}',
    ['A', 'B', 'C', 'd'],
  ],
  ['export interface A {} export interface A {}', ['A', 'A']],
  ['export function f(a: string): void; export function f(a: unknown): void {}', ['f']],
  ["export { a } from './a.ts'; export type { B } from './b.ts'; const c = 1; interface D {}", []],
])('%s defines %j', (text, expected) => {
  expect(definedNames('case.ts', text)).toEqual(expected);
});

test('every exported name has one definition', () => {
  const modules = new Map<string, string[]>();
  for (const path of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue;
    for (const name of definedNames(path, readFileSync(`src/${path}`, 'utf8'))) {
      modules.set(name, [...(modules.get(name) ?? []), path.replaceAll('\\', '/')]);
    }
  }
  expect(Object.fromEntries([...modules].filter(([, paths]) => paths.length > 1))).toEqual({});
});

/** The names a module defines and exports, types and values; what it passes on from elsewhere is defined there. */
function definedNames(path: string, text: string): readonly string[] {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
    }
    // The signatures of an overloaded function belong to its one body.
    if (ts.isFunctionDeclaration(statement) && !statement.body) return [];
    const name = ts.isDeclarationStatement(statement) ? statement.name : undefined;
    return name && ts.isIdentifier(name) ? [name.text] : [];
  });
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function boundNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}
