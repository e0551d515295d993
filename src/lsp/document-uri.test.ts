import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalUri } from './document.ts';

test.each([
  ['file:///a/b.ts', 'file:///a/b.ts'],
  ['file:///a/%5Bid%5D%2Bx%40y.ts', pathToFileURL('/a/[id]+x@y.ts').href],
  ['file:///a/[id]+x@y.ts', pathToFileURL('/a/[id]+x@y.ts').href],
  ['file:///a/b%20c.ts', pathToFileURL('/a/b c.ts').href],
  ['file:///a/../b.ts', 'file:///b.ts'],
  ['file://localhost/a.ts', 'file:///a.ts'],
  ['untitled:Untitled-1', 'untitled:Untitled-1'],
  ['jdt://contents/rt.jar/java.lang/String.class', 'jdt://contents/rt.jar/java.lang/String.class'],
  ['file:///a/%zz.ts', 'file:///a/%zz.ts'],
])('%s is filed as %s', (uri, expected) => {
  expect(canonicalUri(uri)).toBe(expected);
});

test('however a server escapes a path, it is the same document', () => {
  const segment = fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => !/[/\\\0]|^\.+$/.test(name));
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1 }), (segments) => {
      const ours = pathToFileURL(`/${segments.join('/')}`).href;
      const theirs = `file:///${segments.map(encodeURIComponent).join('/')}`;
      expect(canonicalUri(theirs)).toBe(ours);
      expect(canonicalUri(ours)).toBe(ours);
    }),
  );
});
