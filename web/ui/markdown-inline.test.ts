import { expect, test } from 'vitest';
import { markdownBlocks } from './markdown-block.ts';
import { type Inline, markdownInlines } from './markdown-inline.ts';

const text = (words: string): Inline => ({ kind: 'text', text: words });

test.each<[string, readonly Inline[]]>([
  [
    '`total()` returns a *number*, see [the docs](https://example.com/a "Docs").',
    [
      { kind: 'code', text: 'total()' },
      text(' returns a '),
      { kind: 'emphasis', content: [text('number')] },
      text(', see '),
      { kind: 'link', address: 'https://example.com/a', content: [text('the docs')] },
      text('.'),
    ],
  ],
  [
    '**it** ~~was~~ _is_',
    [
      { kind: 'strong', content: [text('it')] },
      text(' '),
      { kind: 'deleted', content: [text('was')] },
      text(' '),
      { kind: 'emphasis', content: [text('is')] },
    ],
  ],
  ['snake_case_name and 2*3*4', [text('snake_case_name and 2*3*4')]],
  ['a\\_b &lt;T&gt;&nbsp;x', [text('a_b <T>\u00a0x')]],
  ['one  \ntwo', [text('one'), { kind: 'break' }, text('two')]],
  ['`` a`b ``', [{ kind: 'code', text: 'a`b' }]],
  [
    'see https://example.com/a.',
    [
      text('see '),
      { kind: 'link', address: 'https://example.com/a', content: [text('https://example.com/a')] },
      text('.'),
    ],
  ],
  ['[a file](file:///etc/passwd)', [text('a file')]],
  ['a **b', [text('a **b')]],
])('%s', (given, expected) => {
  expect(markdownInlines(given)).toEqual(expected);
});

test.each([
  '<img src=x onerror="alert(1)">',
  '[click](javascript:alert(1))',
  '[click](data:text/html,<script>alert(1)</script>)',
  '[click](https://a"onmouseover="alert(1))',
  '<script>alert(1)</script>',
])('%s is text and nothing else', (hostile) => {
  expect(markdownInlines(hostile)).toEqual([text(hostile)]);
});

test('a long hostile line is read in no time', () => {
  const startedAt = performance.now();
  markdownInlines(`${'*a '.repeat(1000)}${'['.repeat(3000)}${'`'.repeat(3000)}`);
  markdownInlines('**a _b ~~c [d](e '.repeat(580));
  markdownInlines('*a `'.repeat(50_000));
  markdownBlocks('> '.repeat(5000));
  expect(performance.now() - startedAt).toBeLessThan(2000);
});
