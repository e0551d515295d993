import { expect, test } from 'vitest';
import { parseMarkdown } from './markdown.ts';

test('blocks and inlines are read as data', () => {
  const text = [
    '# Why **it** breaks',
    '',
    '`total()` returns a *number*, see [the docs](https://example.com/a).',
    '',
    '1. first',
    '2. second',
    '   - below',
    '',
    '```ts',
    'const a = "<b>";',
    '```',
    '> quoted',
    '',
    '| a | b |',
    '|---|---|',
    '| 1 | `2` |',
  ].join('\n');
  expect(parseMarkdown(text)).toMatchInlineSnapshot(`
    [
      {
        "content": [
          {
            "kind": "text",
            "text": "Why ",
          },
          {
            "content": [
              {
                "kind": "text",
                "text": "it",
              },
            ],
            "kind": "strong",
          },
          {
            "kind": "text",
            "text": " breaks",
          },
        ],
        "kind": "heading",
        "level": 1,
      },
      {
        "content": [
          {
            "kind": "code",
            "text": "total()",
          },
          {
            "kind": "text",
            "text": " returns a ",
          },
          {
            "content": [
              {
                "kind": "text",
                "text": "number",
              },
            ],
            "kind": "emphasis",
          },
          {
            "kind": "text",
            "text": ", see ",
          },
          {
            "address": "https://example.com/a",
            "content": [
              {
                "kind": "text",
                "text": "the docs",
              },
            ],
            "kind": "link",
          },
          {
            "kind": "text",
            "text": ".",
          },
        ],
        "kind": "paragraph",
      },
      {
        "isOrdered": true,
        "items": [
          [
            {
              "content": [
                {
                  "kind": "text",
                  "text": "first",
                },
              ],
              "kind": "paragraph",
            },
          ],
          [
            {
              "content": [
                {
                  "kind": "text",
                  "text": "second",
                },
              ],
              "kind": "paragraph",
            },
            {
              "isOrdered": false,
              "items": [
                [
                  {
                    "content": [
                      {
                        "kind": "text",
                        "text": "below",
                      },
                    ],
                    "kind": "paragraph",
                  },
                ],
              ],
              "kind": "list",
            },
          ],
        ],
        "kind": "list",
      },
      {
        "kind": "code",
        "language": "ts",
        "text": "const a = "<b>";",
      },
      {
        "blocks": [
          {
            "content": [
              {
                "kind": "text",
                "text": "quoted",
              },
            ],
            "kind": "paragraph",
          },
        ],
        "kind": "quote",
      },
      {
        "kind": "table",
        "rows": [
          [
            [
              {
                "kind": "text",
                "text": "a",
              },
            ],
            [
              {
                "kind": "text",
                "text": "b",
              },
            ],
          ],
          [
            [
              {
                "kind": "text",
                "text": "1",
              },
            ],
            [
              {
                "kind": "code",
                "text": "2",
              },
            ],
          ],
        ],
      },
    ]
  `);
});

test.each([
  '<img src=x onerror="alert(1)">',
  '[click](javascript:alert(1))',
  '[click](data:text/html,<script>alert(1)</script>)',
  '[click](https://a"onmouseover="alert(1))',
  '<script>alert(1)</script>',
])('%s is text and nothing else', (hostile) => {
  const [block, ...others] = parseMarkdown(hostile);
  expect(others).toEqual([]);
  expect(block?.kind).toBe('paragraph');
  const kinds = block?.kind === 'paragraph' ? block.content.map(({ kind }) => kind) : [];
  expect(new Set(kinds)).toEqual(new Set(['text']));
});

test('text that breaks off reads as far as it goes', () => {
  expect(parseMarkdown('```ts\nconst a')).toEqual([{ kind: 'code', language: 'ts', text: 'const a' }]);
  expect(parseMarkdown('a **b')).toEqual([{ kind: 'paragraph', content: [{ kind: 'text', text: 'a **b' }] }]);
});

test('a long hostile line is read in no time', () => {
  const startedAt = performance.now();
  parseMarkdown(`${'*a '.repeat(1000)}${'['.repeat(3000)}${'`'.repeat(3000)}`);
  parseMarkdown('*a `'.repeat(50_000));
  parseMarkdown('> '.repeat(5000));
  expect(performance.now() - startedAt).toBeLessThan(2000);
});
