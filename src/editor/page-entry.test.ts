import { expect, test } from 'vitest';
import { isOwnOrigin, PageEntry } from './page-entry.ts';

test('only the secret of the address is exchanged for a cookie', () => {
  const entry = new PageEntry();
  expect(entry.cookieFor('')).toBeUndefined();
  expect(entry.cookieFor(`${entry.secret}x`)).toBeUndefined();
  expect(entry.cookieFor(new PageEntry().secret)).toBeUndefined();
  const cookie = entry.cookieFor(entry.secret) ?? '';
  expect(cookie).toMatch(/^forerun=[\w-]{32}; Path=\/link\/[\w-]{32}; HttpOnly; SameSite=Strict$/);
  expect(cookie).not.toContain(entry.secret);
});

test('only the cookie opens the link, and only at its path', () => {
  const entry = new PageEntry();
  const [pair = ''] = (entry.cookieFor(entry.secret) ?? '').split(';');
  expect(entry.admits(entry.linkPath, pair)).toBe(true);
  expect(entry.admits(entry.linkPath, `a=b; ${pair}; c=d`)).toBe(true);
  expect(entry.admits('/link/other', pair)).toBe(false);
  expect(entry.admits(entry.linkPath, `${pair}x`)).toBe(false);
  expect(entry.admits(entry.linkPath, `forerun=${entry.secret}`)).toBe(false);
  expect(entry.admits(entry.linkPath, undefined)).toBe(false);
});

test.each<[string | undefined, string | undefined, boolean]>([
  ['http://127.0.0.1:4000', '127.0.0.1:4000', true],
  ['http://LocalHost:4000', 'localhost:4000', true],
  ['http://127.0.0.1:3000', '127.0.0.1:4000', false],
  ['http://localhost:4000', '127.0.0.1:4000', false],
  ['https://127.0.0.1:4000', '127.0.0.1:4000', false],
  ['null', '127.0.0.1:4000', false],
  [undefined, '127.0.0.1:4000', false],
  ['http://undefined', undefined, false],
])('a page of %j at %j is ours: %j', (origin, host, expected) => {
  expect(isOwnOrigin(origin, host)).toBe(expected);
});
