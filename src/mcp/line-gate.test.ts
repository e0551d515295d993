import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineGate } from './line-gate.ts';

async function through(
  chunks: readonly (string | Buffer)[],
  maxLineBytes = 40,
): Promise<{ passed: string; faults: number[] }> {
  const faults: number[] = [];
  const gate = new LineGate({ maxLineBytes, onFault: ({ code }) => faults.push(code) });
  const passed = await text(Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(gate));
  return { passed, faults };
}

test.each<[string, readonly string[], { passed: string; faults: number[] }]>([
  ['JSON passes', ['{"a":1}\n{"b":2}\n'], { passed: '{"a":1}\n{"b":2}\n', faults: [] }],
  [
    'a line that is not JSON is answered, the next one passes',
    ['oops\n{}\n'],
    { passed: '{}\n', faults: [-32700] },
  ],
  [
    'a line that is too long is answered, the next one passes',
    [`"${'x'.repeat(50)}"\n{}\n`],
    { passed: '{}\n', faults: [-32600] },
  ],
  ['an empty line is nothing', ['\n \n{}\n'], { passed: '{}\n', faults: [] }],
])('%s', async (_promise, chunks, expected) => {
  expect(await through(chunks)).toEqual(expected);
});

test('how the bytes are cut into chunks makes no difference', async () => {
  const whole = Buffer.from('{"ä":"€😀"}\nbad\n{"b":2}\n');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(whole.length)), async (cuts) => {
      const places = [...new Set([0, ...cuts, whole.length])].sort((a, b) => a - b);
      const chunks = places.slice(1).map((end, index) => whole.subarray(places[index], end));
      expect(await through(chunks)).toEqual({ passed: '{"ä":"€😀"}\n{"b":2}\n', faults: [-32700] });
    }),
  );
});
