import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type KeptPart, OutputCapture } from './output-capture.ts';

function captured(chunks: readonly string[], maxBytes: number, keep: KeptPart = 'both-ends'): OutputCapture {
  const output = new OutputCapture({ maxBytes, keep });
  for (const chunk of chunks) output.append(Buffer.from(chunk));
  return output;
}

const chunks = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 30 }), { maxLength: 30 });

test('what fits is kept as it is, whatever pieces it came in', () => {
  fc.assert(
    fc.property(chunks, (pieces) => {
      const output = captured(pieces, 2000);
      expect(output.toString()).toBe(pieces.join(''));
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
      expect(output.toString()).toBe(
        `${all.slice(0, half)}\n… ${left} bytes left out …\n${all.slice(-half)}`,
      );
    }),
  );
});

test.each([
  ['start', 'aé', 2, 'a'],
  ['end', 'éb', 2, 'b'],
  ['start', 'aé', 3, 'aé'],
  ['end', 'éb', 3, 'éb'],
  ['both-ends', 'aé…éb', 4, 'a\n… 7 bytes left out …\nb'],
] as const)('of the %s of %j no character cut at %i bytes is kept', (keep, text, maxBytes, expected) => {
  expect(captured([text], maxBytes, keep).toString()).toBe(expected);
});

test('a capture of the start or the end holds exactly that, and reports once that there was more', () => {
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 40 }), (pieces, maxBytes) => {
      const all = pieces.join('');
      let full = 0;
      const start = new OutputCapture({ maxBytes, keep: 'start', onFull: () => full++ });
      for (const piece of pieces) start.append(Buffer.from(piece));
      expect(start.toString()).toBe(all.slice(0, maxBytes));
      expect(full).toBe(all.length > maxBytes ? 1 : 0);
      expect(captured(pieces, maxBytes, 'end').toString()).toBe(all.slice(-maxBytes));
    }),
  );
});
