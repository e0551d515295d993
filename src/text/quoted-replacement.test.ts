import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Quote, type QuotedReplacement, replaceQuoted } from './quoted-replacement.ts';

test.each<[string, string, Quote, QuotedReplacement]>([
  [
    'an exact match wins over lines that match but for white space',
    '  a\na\n',
    { oldText: 'a\n', newText: 'x\n', which: 2 },
    { kind: 'replaced', text: '  a\nx\n', count: 1 },
  ],
  [
    'several lenient matches are ambiguous',
    '  a\n\ta\n',
    { oldText: 'a ', newText: 'x' },
    { kind: 'ambiguous', count: 2 },
  ],
  [
    'all lenient matches are replaced on request',
    '  a\n\ta\n',
    { oldText: 'a ', newText: 'x', which: 'all' },
    { kind: 'replaced', text: 'x\nx\n', count: 2 },
  ],
  [
    'an occurrence past the last is named',
    'b',
    { oldText: 'b', newText: 'x', which: 3 },
    { kind: 'no-such-occurrence', occurrence: 3, count: 1 },
  ],
  ['an empty quote matches nothing', 'ab', { oldText: '', newText: 'x' }, { kind: 'not-found' }],
  [
    'a quote in plain newlines matches inside CRLF lines',
    'let a = 1;\r\nlet b = 2;\r\n',
    { oldText: '1;\nlet', newText: '2;\nconst' },
    { kind: 'replaced', text: 'let a = 2;\r\nconst b = 2;\r\n', count: 1 },
  ],
  [
    'mixed endings are taken as they are',
    'a\r\nb\nc\n',
    { oldText: 'b\nc', newText: 'd\ne' },
    { kind: 'replaced', text: 'a\r\nd\ne\n', count: 1 },
  ],
])('%s', (_promise, text, quote, expected) => {
  expect(replaceQuoted(text, quote)).toEqual(expected);
});

test('a passage that occurs exactly is replaced exactly, whatever matches leniently', () => {
  const parts = fc.array(fc.constantFrom(' ', '\t', 'a', 'b', '\n'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(parts, parts, (passage, around) => {
      const oldText = passage.join('');
      const text = around.join('') + oldText + around.join('');
      const outcome = replaceQuoted(text, { oldText, newText: '$&', which: 'all' });
      expect(outcome).toMatchObject({ text: text.replaceAll(oldText, () => '$&') });
    }),
  );
});
