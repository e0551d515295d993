import { expect, test } from 'vitest';
import { symbolSource } from './symbol-source.ts';

const text = 'one\r\n  two {\r\n  }\r\nlast';

test.each<[string, readonly [number, number, number, number], string, number]>([
  ['a stretch inside lines', [1, 2, 2, 3], '  two {\r\n  }', 2],
  ['one that stops where a line begins', [1, 2, 3, 0], '  two {\r\n  }', 2],
  ['an empty one', [1, 2, 1, 2], '  two {', 1],
  ['one that reaches past the text', [2, 2, 99, 0], '  }\r\nlast', 3],
])(
  'the source of a symbol is its whole lines: %s',
  (_, [line, character, endLine, endCharacter], source, last) => {
    const range = { start: { line, character }, end: { line: endLine, character: endCharacter } };
    const symbol = { name: 's', kind: 12, range, selectionRange: range, children: [] };
    expect(symbolSource(text, symbol)).toEqual({ startLine: line, endLine: last, text: source });
  },
);
