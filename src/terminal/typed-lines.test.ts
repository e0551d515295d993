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
  await lines.keepPending();
  input.write('n\nlater\n');
  expect(await lines.nextTyped()).toBe('n');
  expect([await lines.next(), await lines.next(), await lines.next()]).toEqual(['y', 'always', 'later']);
});

test('the end of the input is no answer', async () => {
  const { input, lines } = typing();
  input.end('y\n');
  await lines.keepPending();
  expect(await lines.nextTyped()).toBeUndefined();
  expect(await lines.next()).toBe('y');
});
