import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeContent, encodeContent, hashContent, isSameBytes, parseContentHash } from './content-hash.ts';
import type { FileContent } from './file-content.ts';

test('bytes decoded and encoded are the same bytes', () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.string({ unit: 'binary' }).map((text) => new Uint8Array(Buffer.from(`\uFEFF${text}`))),
  );
  fc.assert(
    fc.property(bytes, (given) => {
      expect(Buffer.compare(encodeContent(decodeContent(given)), given)).toBe(0);
      expect(hashContent(decodeContent(given))).toBe(hashContent({ kind: 'binary', bytes: given }));
    }),
  );
});

test('a hash tells contents apart, not modes', () => {
  const contents: (FileContent | undefined)[] = [
    undefined,
    { kind: 'text', text: '' },
    { kind: 'text', text: '', bom: true },
    { kind: 'text', text: 'a' },
    { kind: 'symlink', target: 'a' },
  ];
  const hashes = contents.map(hashContent);
  expect(new Set(hashes).size).toBe(contents.length);
  expect(hashes[0]).toBe('absent');
  expect(hashContent({ kind: 'text', text: 'a', mode: 0o755 })).toBe(hashes[3]);
  for (const hash of hashes) expect(parseContentHash(hash)).toBe(hash);
  for (const one of contents) {
    for (const other of contents)
      expect(isSameBytes(one, other)).toBe(hashContent(one) === hashContent(other));
  }
  expect(parseContentHash('no hash')).toBeUndefined();
});
