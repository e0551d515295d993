import { expect, test } from 'vitest';
import { tokenSavings, withTokenSavings } from './token-savings.ts';
import { jsonResult, textResult } from './tool-result.ts';

test.each([
  ['text', textResult('x'.repeat(43)), 402, [10, 100, 90]],
  ['JSON as it is sent', jsonResult({ a: 1 }), 7, [1, 1, 0]],
  ['UTF-8 bytes, not characters', textResult('ééé𝒳'), 10, [2, 2, 0]],
  ['an answer longer than its file', textResult('x'.repeat(80)), 40, [20, 10, -10]],
])('tokens are quarters of bytes: %s', (_, result, bytes, [returned, full, saved]) => {
  expect(tokenSavings(result, bytes)).toEqual({
    tokens_returned: returned,
    tokens_full_file: full,
    tokens_saved: saved,
  });
});

test('a file that cannot be measured is not guessed at, and other metadata stays', async () => {
  const result = await withTokenSavings(textResult('12345678', { meta: { etag: 'e' } }), '/nowhere/at/all');
  expect(result.meta).toEqual({ etag: 'e', token_savings: { tokens_returned: 2 } });
});
