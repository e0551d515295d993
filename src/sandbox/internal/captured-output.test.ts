import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CapturedOutput } from './captured-output.ts';

function captured(chunks: readonly string[], maxBytes: number): CapturedOutput {
  const stream = new PassThrough();
  const output = new CapturedOutput(stream, maxBytes);
  for (const chunk of chunks) stream.emit('data', Buffer.from(chunk));
  return output;
}

const chunks = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 30 }), { maxLength: 30 });

test('what fits is kept as it is, whatever pieces it came in', () => {
  fc.assert(
    fc.property(chunks, (pieces) => {
      const output = captured(pieces, 2000);
      expect(output.text).toBe(pieces.join(''));
      expect(output.isTruncated).toBe(false);
    }),
  );
});

test('of more, the beginning and the end are kept and the number of the bytes between them is said', () => {
  fc.assert(
    fc.property(chunks, fc.integer({ min: 2, max: 40 }), (pieces, maxBytes) => {
      const all = pieces.join('');
      const half = Math.floor(maxBytes / 2);
      fc.pre(all.length > 2 * half);
      const output = captured(pieces, maxBytes);
      const left = all.length - 2 * half;
      expect(output.isTruncated).toBe(true);
      expect(output.text).toBe(`${all.slice(0, half)}\n… ${left} bytes left out …\n${all.slice(-half)}`);
    }),
  );
});
