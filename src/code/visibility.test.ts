import { expect, test } from 'vitest';
import { LineIndex } from '../text/position.ts';
import { type CodeSymbol, symbolKindNames } from './symbol.ts';
import { declaredSymbols, visibilityIn } from './visibility.ts';

/** A symbol whose range is the whole text from its line on, which is all the rules use. */
const symbol = (
  text: string,
  kind: string,
  name: string,
  children: readonly CodeSymbol[] = [],
): CodeSymbol => {
  const index = new LineIndex(text);
  const start = index.positionAt(
    Math.max(0, text.search(new RegExp(`\\b${name.replace(/\W/g, '\\$&')}\\b`))),
  );
  const end = { ...start, character: start.character + name.length };
  const range = { start: { line: start.line, character: 0 }, end: index.positionAt(text.length) };
  return { name, kind: symbolKindNames.indexOf(kind) + 1, range, selectionRange: { start, end }, children };
};

/**
 * Each row: a language, a text, the symbols as `Kind name`, indented below their containers, and the visible ones.
 */
const rows: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  ['go', 'func Add() {}\nfunc add() {}', ['Function Add', 'Function add'], ['Add']],
  ['typescript', 'export function a() {}\nfunction b() {}', ['Function a', 'Function b'], ['a']],
  [
    'typescript',
    'export const a = 1;\nconst b = 2, c = 3;\nexport { c as d };',
    ['Constant a', 'Constant b', 'Constant c'],
    ['a', 'c'],
  ],
  ['typescript', 'class A {}\nexport default A;', ['Class A'], ['A']],
  ['typescript', 'function f() {}', ['Function f'], ['f']],
  [
    'typescript',
    'export class K {\n  private hidden() {}\n  shown() {}\n}\nexport function f() { const local = 1; }',
    ['Class K', ' Method hidden', ' Method shown', 'Function f', ' Constant local'],
    ['K', 'shown', 'f'],
  ],
  [
    'javascript',
    'function a() {}\nfunction b() {}\nmodule.exports = { a };',
    ['Function a', 'Function b'],
    ['a'],
  ],
  ['javascript', 'const a = 1;\nconst b = 2;\nexports.b = b;', ['Constant a', 'Constant b'], ['b']],
  ['python', 'def a(): ...\ndef _b(): ...', ['Function a', 'Function _b'], ['a']],
  ['python', '__all__ = ["_b"]\ndef a(): ...\ndef _b(): ...', ['Function a', 'Function _b'], ['_b']],
  [
    'python',
    'class K:\n  def __init__(self): ...\n  def _p(self): ...\n  def m(self): x = 1',
    ['Class K', ' Method __init__', ' Method _p', ' Method m', '  Variable x'],
    ['K', '__init__', 'm'],
  ],
  [
    'rust',
    '/// not pub\nfn a() {}\npub fn b() {}\npub(crate) fn c() {}',
    ['Function a', 'Function b', 'Function c'],
    ['b', 'c'],
  ],
  [
    'java',
    'public class K {\n  public void a() {}\n  void b() {}\n  protected void c() {}\n}',
    ['Class K', ' Method a', ' Method b', ' Method c'],
    ['K', 'a', 'c'],
  ],
  ['java', 'public interface I {\n  void a();\n}', ['Interface I', ' Method a'], ['I', 'a']],
  ['csharp', 'internal class K {\n  public void a() {}\n}', ['Class K', ' Method a'], []],
  ['kotlin', 'fun a() {}\nprivate fun b() {}', ['Function a', 'Function b'], ['a']],
  ['c', 'int a(void);\nstatic int b(void);', ['Function a', 'Function b'], ['a']],
  ['zig', 'pub fn a() void {}\nfn b() void {}', ['Function a', 'Function b'], ['a']],
  ['elixir', 'def a, do: 1\ndefp b, do: 2', ['Function a', 'Function b'], ['a']],
  ['lua', 'function a() end', ['Function a'], ['a']],
];

test.each(rows)('%s: %j shows %j as %j', (language, text, names, expected) => {
  const tree = grow(text, names);
  const isVisible = visibilityIn({ language, text });
  const shown = declaredSymbols(tree).filter(isVisible);
  expect(shown.map((each) => each.symbol.name)).toEqual(expected);
});

test('what an implementation of a trait gives is visible though no word says so', () => {
  const text = 'impl Shape for Square {\n  fn area(&self) {}\n}\nimpl Square {\n  fn own(&self) {}\n}';
  const tree = [
    symbol(text, 'Object', 'impl Shape for Square', [symbol(text, 'Method', 'area')]),
    symbol(text, 'Object', 'impl Square', [symbol(text, 'Method', 'own')]),
  ];
  const shown = declaredSymbols(tree).filter(visibilityIn({ language: 'rust', text }));
  expect(shown.map((each) => each.symbol.name)).toEqual(['impl Shape for Square', 'area', 'impl Square']);
});

/** Each blank of indentation is one level. */
function grow(text: string, names: readonly string[]): readonly CodeSymbol[] {
  const tops: CodeSymbol[] = [];
  names.forEach((entry, at) => {
    if (entry.startsWith(' ')) return;
    const after = names.slice(at + 1);
    const end = after.findIndex((each) => !each.startsWith(' '));
    const inner = (end < 0 ? after : after.slice(0, end)).map((each) => each.slice(1));
    const [kind = '', name = ''] = entry.split(' ');
    tops.push(symbol(text, kind, name, grow(text, inner)));
  });
  return tops;
}
