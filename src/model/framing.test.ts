import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventFraming, type Framing, lineFraming } from './framing.ts';

const encoder = new TextEncoder();

function framed(framing: Framing, bytes: Uint8Array, cuts: readonly number[]): readonly string[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const ends = [...places, bytes.length];
  return ends.flatMap((end, index) => framing.feed(bytes.subarray(ends[index - 1] ?? 0, end)));
}

const pieces = fc.array(
  fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify({ value, more: 'ü 加 🙂' })),
  { maxLength: 6 },
);

const cuts = fc.array(fc.nat(4000), { maxLength: 30 });

describe('wherever the network cuts, even inside a character, the pieces are the same', () => {
  test('events', () => {
    fc.assert(
      fc.property(pieces, cuts, fc.constantFrom('\n', '\r\n'), (said, places, eol) => {
        const sent = said.map((data) => `event: x${eol}data: ${data}${eol}${eol}: ping${eol}${eol}`).join('');
        expect(framed(eventFraming(), encoder.encode(sent), places)).toEqual(said);
      }),
    );
  });

  test('lines', () => {
    fc.assert(
      fc.property(pieces, cuts, (said, places) => {
        const sent = encoder.encode(said.map((line) => `${line}\n`).join(''));
        expect(framed(lineFraming(), sent, places)).toEqual(said);
      }),
    );
  });
});

test('a failure in the field llama.cpp made for it is heard', () => {
  const bytes = encoder.encode('error: {"code":400,"message":"no"}\n\n');
  expect(eventFraming().feed(bytes)).toEqual(['{"error":{"code":400,"message":"no"}}']);
});

test('a last event without the blank line after it is kept apart', () => {
  const framing = eventFraming();
  expect(framing.feed(encoder.encode('data: {"a":1}\n\ndata: {"b":2}'))).toEqual(['{"a":1}']);
  expect(framing.rest()).toBe('{"b":2}');
});

test('a last line without its end is kept apart', () => {
  const framing = lineFraming();
  expect(framing.feed(encoder.encode('{"a":1}\n{"b":'))).toEqual(['{"a":1}']);
  expect(framing.rest()).toBe('{"b":');
});
