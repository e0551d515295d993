import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rawOutput } from './raw-output.ts';

test('what is short enough is handed on whole', () => {
  expect(rawOutput('abc', 3)).toEqual({ raw: 'abc', raw_truncated: false });
});

test('of what is too long the beginning and the end stay', () => {
  const { raw, raw_truncated } = rawOutput(`begin${'x'.repeat(100)}end`, 10);
  expect(raw).toMatch(/^begin\n… 98 bytes left out …\nxxend$/);
  expect(raw_truncated).toBe(true);
});

test('no character is ever cut in half', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 20 }), (text, limit) => {
      fc.pre(!text.includes('�'));
      expect(rawOutput(text, limit).raw).not.toContain('�');
    }),
  );
});
