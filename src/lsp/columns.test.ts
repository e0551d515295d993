import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineIndex } from '../text/position.ts';
import { encodeColumns, encodePosition, rangeDecoder } from './document.ts';

const encodings = ['utf-8', 'utf-16', 'utf-32'] as const;

test('a place survives the way to a server and back, however the server counts', () => {
  const lines = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(lines, fc.nat(), fc.nat(), fc.constantFrom(...encodings), (texts, a, b, encoding) => {
      const index = new LineIndex(texts.join('\n'));
      const line = a % index.lineCount;
      const characters = [...index.lineText(line)];
      const character = characters.slice(0, b % (characters.length + 1)).join('').length;
      const position = { line, character };
      const source = { documents: { encoding, index: () => index } };
      const range = { start: position, end: position };
      expect(rangeDecoder(source, 'file:///x')(encodeColumns(source, 'file:///x', range))).toEqual(range);
    }),
  );
});

test('without the text of a document columns pass as they are', () => {
  const source = { documents: { encoding: 'utf-8', index: () => undefined } } as const;
  const position = { line: 3, character: 7 };
  expect(encodePosition(source, 'untitled:1', position)).toEqual(position);
  const range = { start: position, end: position };
  expect(rangeDecoder(source, 'untitled:1')(range)).toEqual(range);
});
