import { expect, test } from 'vitest';
import { SearchExpression, type SearchedQuery } from './search-expression.ts';
import { ShownLines } from './shown-match.ts';

const literal: SearchedQuery = { text: 'total', kind: 'literal', isCaseSensitive: false, isWholeWord: false };
const expression = { ...literal, kind: 'expression' } as const;

function found(query: SearchedQuery, text: string): readonly string[] {
  const [matches = []] = new SearchExpression(query).matchesIn([text], 100);
  return matches.map(({ start, end }) => text.slice(start, end));
}

test.each<[string, SearchedQuery, string, readonly string[]]>([
  ['any case', literal, 'Total total TOTAL', ['Total', 'total', 'TOTAL']],
  ['this case', { ...literal, isCaseSensitive: true }, 'Total total', ['total']],
  [
    'whole words',
    { ...literal, isWholeWord: true },
    'total totals subtotal total_1 étotal total',
    ['total', 'total'],
  ],
  [
    'a word before a bracket',
    { ...literal, text: 'total(', isWholeWord: true },
    'total(a) mytotal(a)',
    ['total('],
  ],
  ['characters of expressions as text', { ...literal, text: 'f(a.b)*' }, 'f(aXb) f(a.b)*', ['f(a.b)*']],
  ['an expression', { ...expression, text: 'to\\w+' }, 'total token', ['total', 'token']],
  ['the ends of lines', { ...expression, text: '^b$' }, 'a\nb\nbb', ['b']],
  ['over lines', { ...expression, text: 'a\\nb' }, 'a\nb', ['a\nb']],
  ['escapes that only older expressions allow', { ...expression, text: "\\'x\\'" }, "'x'", ["'x'"]],
  ['nothing that is empty', { ...expression, text: 'x*' }, 'axxb', ['xx']],
])('a query finds %s', (_what, query, text, wanted) => {
  expect(found(query, text)).toEqual(wanted);
});

test.each([
  ['$2-$1', 'b-a'],
  ['$<first>$$$&', 'a$ab'],
  ['$10 $3 $0 $', 'a0 $3 $0 $'],
])('in an expression %s stands for %s', (template, wanted) => {
  const search = new SearchExpression({ ...expression, text: '(?<first>a)(b)' });
  const [[match] = []] = search.matchesIn(['ab'], 1);
  expect(match && search.replacementOf(match, template)).toBe(wanted);
});

test('in a literal search the replacement is text', () => {
  const search = new SearchExpression(literal);
  const [[match] = []] = search.matchesIn(['total'], 1);
  expect(match && search.replacementOf(match, '$& $1')).toBe('$& $1');
});

test('an expression that cannot be read says why', () => {
  expect(() => new SearchExpression({ ...expression, text: '(' })).toThrow(/is not a regular expression/);
});

test('an expression that backtracks without end fails in time', () => {
  const search = new SearchExpression({ ...expression, text: '(a+)+$' });
  expect(() => search.matchesIn([`${'a'.repeat(60)}b`], 10)).toThrow(/takes too long/);
});

test('a match is shown with its place and the lines around it', () => {
  const text = 'one\ntwo total\nthree total total\n';
  const [matches = []] = new SearchExpression(literal).matchesIn([text], 10);
  const lines = new ShownLines(text);
  expect(matches.map((match) => lines.shown(match))).toEqual([
    {
      range: { start: { line: 1, character: 4 }, end: { line: 1, character: 9 } },
      line: { text: 'two total', from: 4, to: 9 },
      above: 'one',
      below: 'three total total',
    },
    {
      range: { start: { line: 2, character: 6 }, end: { line: 2, character: 11 } },
      line: { text: 'three total total', from: 6, to: 11 },
      above: 'two total',
      below: '',
    },
    {
      range: { start: { line: 2, character: 12 }, end: { line: 2, character: 17 } },
      line: { text: 'three total total', from: 12, to: 17 },
      above: 'two total',
      below: '',
    },
  ]);
});

test('a match in a line of a megabyte is shown in a short piece of it', () => {
  const text = `${'x'.repeat(500_000)}total${'y'.repeat(500_000)}`;
  const [[match] = []] = new SearchExpression(literal).matchesIn([text], 1);
  const shown = match && new ShownLines(text).shown(match);
  expect(shown?.line.text.length).toBe(240);
  expect(shown?.line.text.slice(shown.line.from, shown.line.to)).toBe('total');
  expect(shown?.range.start.character).toBe(500_000);
});
