import { expect, test } from 'vitest';
import { LineIndex } from '../../text/position.ts';
import { plain } from '../print/palette.ts';
import { codeFrame } from './code-frame.ts';

function frame(text: string, start: [number, number], end: [number, number]): string {
  const range = { start: { line: start[0], character: start[1] }, end: { line: end[0], character: end[1] } };
  return codeFrame(new LineIndex(text), range, plain);
}

test('two lines around the place, and a caret under its characters', () => {
  expect(frame('one\ntwo\nthree\nfour\nfive\nsix\n', [2, 1], [2, 4])).toMatchInlineSnapshot(`
    "  1 | one
      2 | two
    > 3 | three
        |  ^^^
      4 | four
      5 | five"
  `);
});

test('tabs before the place keep the caret under it', () => {
  expect(frame('\tx = y', [0, 5], [0, 6])).toBe('> 1 | \tx = y\n    | \t    ^');
});

test('a range over several lines is marked to the end of its first', () => {
  expect(frame('abc\ndef\n', [0, 1], [1, 2])).toBe('> 1 | abc\n    |  ^^\n  2 | def');
});

test('an empty range still has a caret, and a place past the end no frame', () => {
  expect(frame('ab', [0, 2], [0, 2])).toBe('> 1 | ab\n    |   ^');
  expect(frame('ab', [7, 0], [7, 0])).toBe('');
});
