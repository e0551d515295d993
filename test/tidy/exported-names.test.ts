import { expect, test } from 'vitest';
import { sourceFiles } from '../support/source-tree.ts';

test.each<[string, readonly string[]]>([
  ['export const a = 1;\nexport let b = 2;', ['a', 'b']],
  ['export interface A {}\nexport type B<T> = T;\nexport abstract class C {}', ['A', 'B', 'C']],
  ['export async function a() {}\nexport function* b() {}', ['a', 'b']],
  ['export interface A {}\nexport interface A {}', ['A', 'A']],
  ['export function f(a: string): void;\nexport function f(a: unknown): void {}', ['f']],
  ["export { a } from './a.ts';\nexport type { B } from './b.ts';\nconst c = 1;\ninterface D {}", []],
])('%j defines %j', (text, expected) => {
  expect(definedNames(text)).toEqual(expected);
});

test('every exported name has one definition', async () => {
  const modules = new Map<string, string[]>();
  for (const { path, text } of await sourceFiles('src')) {
    if (path.endsWith('.test.ts')) continue;
    expect(text, path).not.toMatch(unnamed);
    for (const name of definedNames(text)) modules.set(name, [...(modules.get(name) ?? []), path]);
  }
  expect(modules.size).toBeGreaterThan(1000);
  expect(Object.fromEntries([...modules].filter(([, paths]) => paths.length > 1))).toEqual({});
});

/** The formatter puts every export at the start of a line. */
const definition =
  /^export (?:declare )?(?:abstract )?(?:async )?(function\*?|class|interface|type|const|let|enum|namespace) ([\p{L}\p{N}_$]+)/gmu;

/** Exports whose names the pattern above does not see. */
const unnamed = /^export (?:default\b|(?:const|let) [[{]|\*)/m;

/** The names a module defines and exports, types and values; what it passes on from elsewhere is defined there. */
function definedNames(text: string): readonly string[] {
  const found = [...text.matchAll(definition)].map(([, kind = '', name = '']) => ({ kind, name }));
  // The signatures of an overloaded function are one definition.
  const isFurtherSignature = ({ kind, name }: { kind: string; name: string }, at: number): boolean =>
    kind === 'function' && found.findIndex((other) => other.name === name) < at;
  return found.filter((each, at) => !isFurtherSignature(each, at)).map(({ name }) => name);
}
