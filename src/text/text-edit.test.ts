import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryTextAndChanges } from '../../test/support/text/arbitrary-change.ts';
import { LineIndex } from './position.ts';
import { applyChange, applyTextEdits, type TextEdit, toTextEdits } from './text-edit.ts';

function edit(from: [number, number], to: [number, number], newText: string): TextEdit {
  return {
    range: { start: { line: from[0], character: from[1] }, end: { line: to[0], character: to[1] } },
    newText,
  };
}

test('a change written as text edits does the same, even where it splits a character or a line end', () => {
  fc.assert(
    fc.property(arbitraryTextAndChanges, ({ text, one }) => {
      expect(applyTextEdits(text, toTextEdits(new LineIndex(text), one))).toBe(applyChange(text, one));
    }),
  );
});

describe('applyTextEdits', () => {
  test.each<[string, string, TextEdit[], string]>([
    [
      'takes edits in any order',
      'one\ntwo\n',
      [edit([1, 0], [1, 3], '2'), edit([0, 0], [0, 3], '1')],
      '1\n2\n',
    ],
    [
      'keeps insertions at one place in order',
      'ab',
      [edit([0, 1], [0, 1], '1'), edit([0, 1], [0, 1], '2')],
      'a12b',
    ],
    ['keeps the line ends it does not touch', 'a\r\nb\nc\r', [edit([1, 0], [1, 1], 'B')], 'a\r\nB\nc\r'],
    ['joins lines', 'a\r\nb', [edit([0, 1], [1, 0], '')], 'ab'],
    ['reads a column past the end of the line as its end', 'a\nb', [edit([0, 9], [0, 99], '!')], 'a!\nb'],
  ])('%s', (_, text, edits, result) => {
    expect(applyTextEdits(text, edits)).toBe(result);
  });

  test.each<[string, TextEdit[], string]>([
    ['edits that overlap', [edit([0, 0], [0, 2], ''), edit([0, 1], [0, 3], '')], 'text/overlapping-edits'],
    ['a line that is not there', [edit([0, 0], [7, 0], '')], 'text/line-out-of-range'],
    ['a range that ends before it starts', [edit([0, 2], [0, 1], '')], 'text/reversed-edit'],
  ])('refuses %s', (_, edits, code) => {
    expect(() => applyTextEdits('abcd\n', edits)).toThrow(expect.objectContaining({ code }));
  });
});
