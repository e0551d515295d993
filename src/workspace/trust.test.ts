import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Log, type LogRecord } from '../base/log.ts';
import { ProcessTrust, TrustStore } from './trust.ts';
import { howToTrust } from './trust-remedy.ts';

let tree = '';
let records: LogRecord[] = [];

beforeEach(() => {
  tree = realpathSync(mkdtempSync(join(tmpdir(), 'forerun-trust-')));
  records = [];
  mkdirSync(join(tree, 'ws'));
});

afterEach(() => rmSync(tree, { recursive: true, force: true }));

function store(options: { readonly folders?: readonly string[]; readonly state?: string } = {}): TrustStore {
  const { folders = [], state = join(tree, 'state') } = options;
  return new TrustStore({
    env: { HOME: join(tree, 'home'), XDG_STATE_HOME: state },
    log: new Log((record) => void records.push(record)),
    folders: { declaredIn: join(tree, 'home/.config/forerun/settings.json'), paths: folders },
  });
}

const at = (...names: string[]): string => join(tree, ...names);

describe('the store', () => {
  test('trusts nothing at first, what was trusted in every process, and forgets it when revoked', () => {
    expect(store().trustOf(at('ws'))).toBe('untrusted');
    const running = store();
    expect(running.trustOf(at('ws'))).toBe('untrusted');
    store().trust(at('ws'));
    expect([running.trustOf(at('ws')), store().trustOf(at('ws'))]).toEqual(['trusted', 'trusted']);
    expect(store().list()).toEqual([{ path: at('ws'), since: expect.stringMatching(/^\d{4}-/) }]);
    expect(store().revoke(at('ws'))).toBe('revoked');
    expect([running.trustOf(at('ws')), store().list()]).toEqual(['untrusted', []]);
    expect(store().revoke(at('ws'))).toBe('unknown');
  });

  test('is a private file, and nothing is left beside it', () => {
    store().trust(at('ws'));
    expect(statSync(store().file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(store().file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(store().file))).toEqual(['trust.json']);
  });

  test('keeps real paths: a link to a trusted workspace is trusted, a link in its place is not', () => {
    mkdirSync(at('evil'));
    symlinkSync(at('ws'), at('link'));
    store().trust(at('link'));
    expect(store().list()).toMatchObject([{ path: at('ws') }]);
    rmSync(at('ws'), { recursive: true });
    symlinkSync(at('evil'), at('ws'));
    expect([store().trustOf(at('ws')), store().trustOf(at('evil'))]).toEqual(['untrusted', 'untrusted']);
  });

  test.each([
    ['no JSON', '{'],
    ['another shape', '{"version":1,"trusted":["/"]}'],
    ['another version', '{"version":2,"trusted":[]}'],
  ])('that holds %s trusts nothing, with a warning, and can be written again', (_, text) => {
    store().trust(at('ws'));
    writeFileSync(store().file, text, { mode: 0o600 });
    expect(store().trustOf(at('ws'))).toBe('untrusted');
    expect(records).toMatchObject([{ event: 'trust.unreadable', level: 'warning' }]);
    store().trust(at('ws'));
    expect(store().trustOf(at('ws'))).toBe('trusted');
  });

  test('that others can write trusts nothing', () => {
    store().trust(at('ws'));
    chmodSync(store().file, 0o666);
    expect(store().trustOf(at('ws'))).toBe('untrusted');
    expect(records).toMatchObject([{ event: 'trust.unreadable' }]);
  });

  test('that a workspace contains does not count for that workspace', () => {
    const inside = store({ state: at('ws/.local/state') });
    mkdirSync(at('ws/.local/state/forerun'), { recursive: true });
    const trusted = [{ path: at('ws'), since: '' }];
    writeFileSync(inside.file, JSON.stringify({ version: 1, trusted }), { mode: 0o600 });
    expect(inside.list()).toHaveLength(1);
    expect(inside.trustOf(at('ws'))).toBe('untrusted');
    expect(() => inside.trust(at('ws'))).toThrow(expect.objectContaining({ code: 'workspace/trust-inside' }));
  });

  test('follows no link that lies where it writes', () => {
    store().trust(at('ws'));
    writeFileSync(at('victim'), 'mine');
    symlinkSync(at('victim'), `${store().file}.${process.pid}`);
    store().trust(at('home'));
    expect(readFileSync(at('victim'), 'utf8')).toBe('mine');
    expect(existsSync(`${store().file}.${process.pid}`)).toBe(false);
  });
});

describe('what trust in one directory covers', () => {
  const cases: readonly (readonly [string, readonly string[], string, string])[] = [
    ['a package of a repository', ['ws/.git', 'ws/packages/one'], 'ws/packages/one', 'trusted'],
    ['a repository inside a repository', ['ws/.git', 'ws/vendor/x/.git'], 'ws/vendor/x', 'untrusted'],
    [
      'a directory of that one',
      ['ws/.git', 'ws/vendor/x/.git', 'ws/vendor/x/y'],
      'ws/vendor/x/y',
      'untrusted',
    ],
    ['a directory below one that is no repository', ['ws/one'], 'ws/one', 'untrusted'],
    ['the directory above', ['ws/.git'], '.', 'untrusted'],
    ['a directory whose name begins alike', ['ws/.git', 'ws-other'], 'ws-other', 'untrusted'],
  ];
  test.each(cases)('%s', (_, directories, root, expected) => {
    for (const each of directories) mkdirSync(at(each), { recursive: true });
    store().trust(at('ws'));
    expect(store().trustOf(at(root))).toBe(expected);
    expect(new ProcessTrust(store({ state: at('other') }), [at('ws')]).trustOf(at(root))).toBe(expected);
  });
});

describe('folders of the settings', () => {
  test('trust every workspace in them, by its real path', () => {
    mkdirSync(at('src/one/two'), { recursive: true });
    symlinkSync(at('ws'), at('src/linked'));
    const { trustOf } = bound(store({ folders: [at('src')] }));
    expect([at('src'), at('src/one'), at('src/one/two'), at('src/linked'), at('ws')].map(trustOf)).toEqual([
      'trusted',
      'trusted',
      'trusted',
      'untrusted',
      'untrusted',
    ]);
  });

  test('do not count for a workspace that contains the settings', () => {
    mkdirSync(at('home/.config/forerun'), { recursive: true });
    expect(store({ folders: [at('home')] }).trustOf(at('home'))).toBe('untrusted');
  });
});

test('trust of a process ends with it', () => {
  const granted = new ProcessTrust(store(), [at('ws')]);
  expect([granted.trustOf(at('ws')), granted.trustOf(at('home'))]).toEqual(['trusted', 'untrusted']);
  expect(store().trustOf(at('ws'))).toBe('untrusted');
  expect(new ProcessTrust(store(), 'every-workspace').trustOf(at('home'))).toBe('trusted');
});

test('the way to trust can be copied to a shell', () => {
  expect(howToTrust('/a b/it’s')).toContain("forerun trust '/a b/it’s'");
  expect(howToTrust("/a'b")).toContain("forerun trust '/a'\\''b'");
});

function bound(trust: TrustStore): { trustOf: (root: string) => string } {
  return { trustOf: (root) => trust.trustOf(root) };
}
