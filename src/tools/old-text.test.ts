import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Quote } from '../text/quoted-replacement.ts';
import { asFailure } from './failure.ts';
import { replaceQuote } from './old-text.ts';

function replace(text: string, quote: Quote): string {
  try {
    const outcome = replaceQuote(text, quote);
    return outcome.kind === 'replaced' ? outcome.text : 'NOT FOUND';
  } catch (thrown) {
    return asFailure(thrown).message;
  }
}

test.each<[string, string, Quote, string]>([
  ['an exact passage is replaced', 'a b c', { oldText: 'b', newText: 'x' }, 'a x c'],
  [
    'two places are ambiguous',
    'b b',
    { oldText: 'b', newText: 'x' },
    'old_text is ambiguous: it occurs 2 times',
  ],
  ['the caller may say which', 'b b', { oldText: 'b', newText: 'x', which: 2 }, 'b x'],
  ['the caller may mean all', 'b b', { oldText: 'b', newText: 'x', which: 'all' }, 'x x'],
  [
    'a place that is not there is refused',
    'b',
    { oldText: 'b', newText: 'x', which: 3 },
    'occurrence 3 does not exist: old_text occurs 1 time(s)',
  ],
  [
    'lines match whatever stands around them',
    'if (a) {\n    b();\n}\n',
    { oldText: 'if (a) {\nb();\n}', newText: 'c();' },
    'c();\n',
  ],
  [
    'a quote with a final newline keeps the file’s own',
    '  a\nb\n',
    { oldText: 'a \n', newText: 'x\n' },
    'x\nb\n',
  ],
  ['new lines end as the file’s do', 'a\r\nb\r\n', { oldText: 'a', newText: 'x\ny' }, 'x\r\ny\r\nb\r\n'],
  ['white space alone matches no line', 'a\n\nb', { oldText: '   ', newText: 'x' }, 'NOT FOUND'],
  ['what is not there is not found', 'a', { oldText: 'z', newText: 'x' }, 'NOT FOUND'],
])('%s', (_promise, text, quote, expected) => {
  expect(replace(text, quote)).toBe(expected);
});

test('replacing a passage by itself changes nothing', () => {
  const parts = fc.tuple(fc.string(), fc.string({ minLength: 1 }), fc.string());
  fc.assert(
    fc.property(parts, ([before, passage, after]) => {
      const text = (before + passage + after).replaceAll('\r', '');
      const oldText = passage.replaceAll('\r', '');
      fc.pre(oldText !== '');
      expect(replace(text, { oldText, newText: oldText, which: 'all' })).toBe(text);
    }),
  );
});
