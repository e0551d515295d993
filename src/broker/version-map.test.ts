import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VersionMap } from './version-map.ts';

const uri = 'file:///w/a.ts';

test('a version is answered for the document it was given for, in any spelling, and for no other', () => {
  const map = new VersionMap();
  map.set('file:///w/[id].ts', { server: 7, client: 2 });
  expect(map.get('file:///w/%5Bid%5D.ts', 7)).toBe(2);
  expect(map.get('file:///w/[id].ts', 6)).toBeUndefined();
  expect(map.get(uri, 7)).toBeUndefined();
});

test('what is answered is always the newest name the client has for that text, or nothing', () => {
  const reported = fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 60 });
  fc.assert(
    fc.property(reported, (pairs) => {
      const map = new VersionMap();
      const newest = new Map<number, number>();
      for (const [server, client] of pairs) {
        map.set(uri, { server, client });
        newest.set(server, client);
        expect(map.get(uri, server)).toBe(client);
      }
      for (const [server, client] of newest) expect([client, undefined]).toContain(map.get(uri, server));
    }),
  );
});
