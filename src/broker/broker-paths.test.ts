import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defineServer } from '../servers/catalogue/entry.ts';
import { BrokerClaim, ownerOf } from './broker-claim.ts';
import { identityOf, parseOrder } from './broker-launch-spec.ts';
import { logOf, placeOf } from './broker-paths.ts';

const key = { root: '/work/app', server: 'typescript-7' };

test('a place is found again from the workspace and the server alone', () => {
  expect(placeOf('/home', key, {})).toEqual({
    directory: '/home/daemons/b3f55a599cc6f1f9',
    record: '/home/daemons/b3f55a599cc6f1f9/daemon.json',
    owner: '/home/daemons/b3f55a599cc6f1f9/daemon.pid',
    socket: '/home/daemons/b3f55a599cc6f1f9/daemon.sock',
  });
  expect(logOf('/home', key)).toBe('/home/spawn-logs/typescript-7-b3f55a599cc6f1f9.log');
  expect(placeOf('/home', { ...key, root: '/work/app2' }, {}).directory).not.toContain('b3f55a599cc6f1f9');
});

test("a place has one owner, is nobody else's to read, and is left as if nobody had been there", () => {
  const home = mkdtempSync(join(tmpdir(), 'forerun-claim-'));
  try {
    const place = placeOf(home, key, {});
    const claim = BrokerClaim.take(place);
    expect(claim?.isOurs).toBe(true);
    expect(ownerOf(place)?.pid).toBe(process.pid);
    expect(BrokerClaim.take(place)).toBeUndefined();
    expect(statSync(place.directory).mode & 0o777).toBe(0o700);
    claim?.[Symbol.dispose]();
    expect(statSync(place.directory, { throwIfNoEntry: false })).toBeUndefined();
    expect(ownerOf(place)).toBeUndefined();
    using again = BrokerClaim.take(place);
    expect(again?.isOurs).toBe(true);
  } finally {
    rmSync(home, { recursive: true });
  }
});

const definition = defineServer({
  name: 's',
  languages: ['x'],
  command: ['s'],
  executes: 'nothing',
  installHint: '',
});
const located = { definition, command: ['/bin/s'] };
const env = { PATH: '/bin', EDITOR: 'vi' };

test.each<[string, string, boolean]>([
  ['the same', identityOf(located, 'untrusted', { ...env }), true],
  ['another editor', identityOf(located, 'untrusted', { ...env, EDITOR: 'ed' }), true],
  ['another path', identityOf(located, 'untrusted', { ...env, PATH: '/usr/bin' }), false],
  ['another trust', identityOf(located, 'trusted', { ...env }), false],
  ['a locale', identityOf(located, 'untrusted', { ...env, LC_ALL: 'de_DE' }), false],
  [
    'other settings',
    identityOf({ ...located, definition: { ...definition, settings: { a: 1 } } }, 'untrusted', env),
    false,
  ],
  ['another binary', identityOf({ ...located, command: ['/opt/s'] }, 'untrusted', env), false],
])('servers are shared by who would start the same one: %s', (_, identity, isSame) => {
  expect(identity === identityOf(located, 'untrusted', env)).toBe(isSame);
});

test('an order comes through whole, and anything else is none', () => {
  const order = { home: '/h', root: '/r', located, trust: 'untrusted', version: '1', identity: 'i' };
  expect(parseOrder(JSON.stringify(order))).toEqual(order);
  for (const text of ['', '{}', 'null', '{"home":"/h"}']) expect(parseOrder(text)).toBeUndefined();
});
