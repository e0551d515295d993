import { expect, test } from 'vitest';
import { neverAborts } from '../../base/never-aborts.ts';
import type { TextMatch } from './expression-worker.ts';
import { SearchExpression, type SearchedQuery } from './search-expression.ts';
import { ShownLines } from './shown-match.ts';

const literal: SearchedQuery = { text: 'total', kind: 'literal', isCaseSensitive: false, isWholeWord: false };
const expression = { ...literal, kind: 'expression' } as const;

/** The first matches of a text. */
async function matchesOf(query: SearchedQuery, text: string): Promise<readonly TextMatch[]> {
  await using search = new SearchExpression(query);
  const [matches = []] = await search.matchesIn([text], 100, neverAborts());
  return matches;
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
])('a query finds %s', async (_what, query, text, wanted) => {
  const found = await matchesOf(query, text);
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(wanted);
});

test.each([
  ['$2-$1', 'b-a'],
  ['$<first>$$$&', 'a$ab'],
  ['$10 $3 $0 $', 'a0 $3 $0 $'],
])('in an expression %s stands for %s', async (template, wanted) => {
  const query = { ...expression, text: '(?<first>a)(b)' };
  const [match] = await matchesOf(query, 'ab');
  expect(match && new SearchExpression(query).replacementOf(match, template)).toBe(wanted);
});

test('in a literal search the replacement is text', async () => {
  const [match] = await matchesOf(literal, 'total');
  expect(match && new SearchExpression(literal).replacementOf(match, '$& $1')).toBe('$& $1');
});

test('an expression that cannot be read says why', () => {
  expect(() => new SearchExpression({ ...expression, text: '(' })).toThrow(/is not a regular expression/);
});

const endless = { ...expression, text: '(a+)+$' };
const trap = `${'a'.repeat(60)}b`;

test('an expression that backtracks without end fails in time, and the process goes on meanwhile', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 5);
  await expect(matchesOf(endless, trap)).rejects.toThrow(/takes too long/);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
});

test('a search that is given up ends its expression, and the next one finds', async () => {
  await using search = new SearchExpression(endless);
  const abort = new AbortController();
  const given = search.matchesIn([trap], 10, abort.signal);
  abort.abort();
  await expect(given).rejects.toThrow(/abort/i);
  const [[match] = []] = await search.matchesIn(['aa'], 10, neverAborts());
  expect(match?.end).toBe(2);
});

test('a match is shown with its place and the lines around it', async () => {
  const text = 'one\ntwo total\nthree total total\n';
  const matches = await matchesOf(literal, text);
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

test('a match in a line of a megabyte is shown in a short piece of it', async () => {
  const text = `${'x'.repeat(500_000)}total${'y'.repeat(500_000)}`;
  const [match] = await matchesOf(literal, text);
  const shown = match && new ShownLines(text).shown(match);
  expect(shown?.line.text.length).toBe(240);
  expect(shown?.line.text.slice(shown.line.from, shown.line.to)).toBe('total');
  expect(shown?.range.start.character).toBe(500_000);
});
