import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MarkdownBlock, markdownBlocks } from './markdown-block.ts';

test.each<[string, readonly MarkdownBlock[]]>([
  ['# Title', [{ kind: 'heading', level: 1, text: 'Title' }]],
  [
    'one\ntwo\n\nthree',
    [
      { kind: 'paragraph', text: 'one\ntwo' },
      { kind: 'paragraph', text: 'three' },
    ],
  ],
  [
    '```ts\nlet a\n```\nafter',
    [
      { kind: 'code', language: 'ts', text: 'let a' },
      { kind: 'paragraph', text: 'after' },
    ],
  ],
  ['```ts\nstill written', [{ kind: 'code', language: 'ts', text: 'still written' }]],
  ['---', [{ kind: 'rule' }]],
  ['<script>alert(1)</script>', [{ kind: 'paragraph', text: '<script>alert(1)</script>' }]],
  [
    '- a\n- b\n  - c',
    [
      {
        kind: 'list',
        isOrdered: false,
        start: 1,
        items: [
          [{ kind: 'paragraph', text: 'a' }],
          [
            { kind: 'paragraph', text: 'b' },
            { kind: 'list', isOrdered: false, start: 1, items: [[{ kind: 'paragraph', text: 'c' }]] },
          ],
        ],
      },
    ],
  ],
  ['| a | b |\n| - | - |\n| 1 | 2 |', [{ kind: 'table', head: ['a', 'b'], rows: [['1', '2']] }]],
  ['> said', [{ kind: 'quote', blocks: [{ kind: 'paragraph', text: 'said' }] }]],
])('%j is read as blocks', (text, expected) => {
  expect(markdownBlocks(text)).toEqual(expected);
});

test('any text is read to its end, and every word of it is in a block', () => {
  const line = fc.constantFrom(
    'word',
    '- word',
    '  - word',
    '1. word',
    '> word',
    '# word',
    '```',
    '| word |',
    '| - |',
    '',
    '    word',
    '***',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const count = (text: string): number => text.split('word').length - 1;
      const text = lines.join('\n');
      expect(count(JSON.stringify(markdownBlocks(text)))).toBe(count(text));
    }),
  );
});
