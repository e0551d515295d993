import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Key } from './key.ts';
import { KeyReader } from './key-reader.ts';

function keysOf(...chunks: readonly string[]): readonly Key[] {
  const reader = new KeyReader();
  const keys = chunks.flatMap((chunk) => reader.read(chunk));
  return [...keys, ...reader.flush()];
}

describe('keys', () => {
  test.each<[string, readonly Key[]]>([
    ['a', [{ kind: 'text', text: 'a' }]],
    ['日本👍', [{ kind: 'text', text: '日本👍' }]],
    ['hi\r', [{ kind: 'text', text: 'hi' }, { kind: 'enter' }]],
    ['\t', [{ kind: 'tab' }]],
    ['\u001b', [{ kind: 'escape' }]],
    ['\u001b\u001b', [{ kind: 'escape' }, { kind: 'escape' }]],
    ['\u001b\r', [{ kind: 'newline' }]],
    ['\u001b[13;2u', [{ kind: 'newline' }]],
    ['\u001b[A\u001bOB', [{ kind: 'up' }, { kind: 'down' }]],
    ['\u001b[1;5D', [{ kind: 'word-left' }]],
    ['\u001b[99;99Zx', [{ kind: 'other' }, { kind: 'text', text: 'x' }]],
    ['\u001bq', [{ kind: 'other' }]],
    ['\u0003\u0004\u000f', [{ kind: 'interrupt' }, { kind: 'end-of-input' }, { kind: 'toggle-output' }]],
    ['\u0000', [{ kind: 'other' }]],
    ['\u001b[200~a\r\nb\u0003\u001b[201~', [{ kind: 'paste', text: 'a\nb\u0003' }]],
    ['\u001b[', [{ kind: 'other' }]],
  ])('%j', (bytes, keys) => {
    expect(keysOf(bytes)).toEqual(keys);
  });
});

test('however the input is cut, the keys are the same', () => {
  const piece = fc.constantFrom(
    'a',
    'é',
    '\r',
    '\t',
    '\u001b[A',
    '\u001bOD',
    '\u001b[3~',
    '\u001b[200~x\ry\u001b[201~',
    '\u007f',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 4 })),
      (pieces, sizes) => {
        const text = pieces.join('');
        const chunks: string[] = [];
        let at = 0;
        for (const size of [...sizes, text.length]) {
          chunks.push(text.slice(at, at + size));
          at += size;
        }
        expect(joined(keysOf(...chunks))).toEqual(joined(keysOf(text)));
      },
    ),
  );
});

/** Joins text that arrived in pieces. */
function joined(keys: readonly Key[]): readonly Key[] {
  const sum: Key[] = [];
  for (const key of keys) {
    const last = sum.at(-1);
    if (last?.kind === 'text' && key.kind === 'text' && 'text' in last && 'text' in key) {
      sum.splice(-1, 1, { kind: 'text', text: last.text + key.text });
    } else sum.push(key);
  }
  return sum;
}

describe('a paste whose closing mark never comes', () => {
  const begun = (...chunks: readonly string[]) => {
    const reader = new KeyReader();
    for (const chunk of ['\u001b[200~', ...chunks]) expect(reader.read(chunk)).toEqual([]);
    return reader;
  };

  test('ends when nothing follows: what has come is pasted, and keys are keys again', () => {
    const reader = begun('one\r', 'two\u001b[20');
    expect(reader.waitsFor).toBe('paste');
    expect(reader.flush()).toEqual([{ kind: 'paste', text: 'one\ntwo\u001b[20' }]);
    expect(reader.read('a\r')).toEqual([{ kind: 'text', text: 'a' }, { kind: 'enter' }]);
    expect(reader.read('\u001b[201~')).toEqual([{ kind: 'other' }]);
  });

  test('ends with Ctrl+C pressed by itself', () => {
    const reader = begun('one');
    expect(reader.read('\u0003')).toEqual([{ kind: 'paste', text: 'one' }, { kind: 'interrupt' }]);
  });

  test('ends at a length that is no paste any more', () => {
    const reader = begun('x'.repeat(16 * 1024 * 1024));
    expect(reader.read('y').map(({ kind }) => kind)).toEqual(['paste']);
    expect(reader.read('z')).toEqual([{ kind: 'text', text: 'z' }]);
  });
});
