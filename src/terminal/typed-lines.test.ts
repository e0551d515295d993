import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { TypedLines } from './typed-lines.ts';

function typing(): { readonly input: PassThrough; readonly lines: TypedLines } {
  const input = new PassThrough();
  const reader = createInterface({ input, terminal: false });
  return { input, lines: new TypedLines(reader[Symbol.asyncIterator]()) };
}

test('lines typed before a question was asked are input, and in their order', async () => {
  const { input, lines } = typing();
  input.write('y\nalways\n');
  const answer = lines.nextAfterNow();
  await new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
  input.write('n\nlater\n');
  expect(await answer).toBe('n');
  expect([await lines.next(), await lines.next(), await lines.next()]).toEqual(['y', 'always', 'later']);
});

test('the end of the input is no answer', async () => {
  const { input, lines } = typing();
  input.end('y\n');
  expect(await lines.nextAfterNow()).toBeUndefined();
  expect(await lines.next()).toBe('y');
});
