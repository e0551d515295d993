import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSemanticTokens, readTokenOffer, type SemanticToken } from './semantic-token.ts';

const legend = {
  types: ['class', 'function', 'variable'],
  modifiers: ['declaration', 'readonly', 'static', 'async'],
};

test('tokens come out as they were before they were written relative to each other', () => {
  const token = fc.record({
    line: fc.nat(50),
    character: fc.nat(200),
    length: fc.integer({ min: 1, max: 30 }),
    type: fc.constantFrom(...legend.types),
    modifiers: fc.subarray(legend.modifiers),
  });
  fc.assert(
    fc.property(fc.array(token), (unordered) => {
      const tokens = [...unordered].sort((a, b) => a.line - b.line || a.character - b.character);
      expect(readSemanticTokens({ data: encode(tokens) }, legend)).toEqual(tokens);
    }),
  );
});

test.each<[string, unknown, readonly SemanticToken[]]>([
  ['no answer', null, []],
  ['no list', { data: 'x' }, []],
  [
    'an incomplete group',
    { data: [1, 2, 3, 0, 0, 4, 5] },
    [{ line: 1, character: 2, length: 3, type: 'class', modifiers: [] }],
  ],
  [
    'a type and a modifier nobody announced',
    { data: [0, 0, 1, 9, 17] },
    [{ line: 0, character: 0, length: 1, type: 'type9', modifiers: ['declaration'] }],
  ],
])('what a server writes oddly is read as far as it goes: %s', (_, answer, expected) => {
  expect(readSemanticTokens(answer, legend)).toEqual(expected);
});

test.each([
  [{ legend: { tokenTypes: ['a'], tokenModifiers: [] }, range: true, full: { delta: true } }, true, true],
  [{ legend: { tokenTypes: ['a'], tokenModifiers: [] }, range: false, full: true }, false, true],
])('an offer says how tokens may be asked for', (options, isRanged, isFull) => {
  expect(readTokenOffer(options)).toMatchObject({
    legend: { types: ['a'], modifiers: [] },
    isRanged,
    isFull,
  });
});

test('without a legend the numbers mean nothing', () => {
  expect(readTokenOffer(true)).toBeUndefined();
});

function encode(tokens: readonly SemanticToken[]): readonly number[] {
  let before = { line: 0, character: 0 };
  return tokens.flatMap((token) => {
    const lines = token.line - before.line;
    const columns = lines === 0 ? token.character - before.character : token.character;
    before = token;
    const bits = token.modifiers.reduce((sum, name) => sum + 2 ** legend.modifiers.indexOf(name), 0);
    return [lines, columns, token.length, legend.types.indexOf(token.type), bits];
  });
}
