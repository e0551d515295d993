import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentOutside } from './outside-environment.ts';
import { extentOf, isSupplied } from './supplied-path.ts';

let tree = '';
let ws = '';

beforeAll(() => {
  tree = realpathSync(mkdtempSync(join(tmpdir(), 'forerun-outside-')));
  ws = join(tree, 'ws');
  for (const name of ['ws/bin', 'ws/packages/one', 'out/bin'])
    mkdirSync(join(tree, name), { recursive: true });
  writeFileSync(join(ws, 'package.json'), '{}');
  symlinkSync(join(ws, 'bin'), join(tree, 'linked'));
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

/** `WS`, `OUT` and `LINK` stand for directories; undefined: the variable is removed. */
const cases: readonly (readonly [name: string, value: string, kept: string | undefined])[] = [
  ['PATH', 'WS/bin:OUT/bin:LINK:.::relative', 'OUT/bin'],
  ['PATH', 'WS/bin', undefined],
  ['PYTHONPATH', 'lib:OUT', 'OUT'],
  ['NODE_PATH', 'WS/node_modules', undefined],
  ['LD_LIBRARY_PATH', ':OUT', 'OUT'],
  ['LD_PRELOAD', './evil.so', undefined],
  ['LD_PRELOAD', 'evil.so', undefined],
  ['LD_PRELOAD', 'OUT/ours.so', 'OUT/ours.so'],
  ['NODE_OPTIONS', '--require ./hook.js', undefined],
  ['NODE_OPTIONS', '--require=hook', undefined],
  ['NODE_OPTIONS', '--import tsx', undefined],
  ['NODE_OPTIONS', '-r WS/hook.js', undefined],
  [
    'NODE_OPTIONS',
    '--require OUT/hook.js --max-old-space-size=4096',
    '--require OUT/hook.js --max-old-space-size=4096',
  ],
  ['NODE_OPTIONS', '--max-old-space-size=4096', '--max-old-space-size=4096'],
  ['GOFLAGS', '-toolexec=./wrap', undefined],
  ['GOFLAGS', '-toolexec=WS/wrap', undefined],
  ['GOFLAGS', '-mod=readonly', '-mod=readonly'],
  ['RUSTC_WRAPPER', 'WS/bin/wrap', undefined],
  ['RUSTC_WRAPPER', 'OUT/sccache', 'OUT/sccache'],
  ['JAVA_TOOL_OPTIONS', '-javaagent:WS/agent.jar', undefined],
  ['VIRTUAL_ENV', 'WS/.venv', undefined],
  ['CARGO_HOME', 'WS/.cargo', undefined],
  ['EDITOR', 'vi', 'vi'],
  ['LANG', 'de_DE.UTF-8', 'de_DE.UTF-8'],
  ['HOME', 'WS', 'WS'],
  ['EMPTY', '', ''],
];

describe.runIf(delimiter === ':')('the environment of a program on an untrusted workspace', () => {
  test.each(cases)('%s=%s', (name, value, kept) => {
    const real = (text: string): string =>
      text.replaceAll('WS', ws).replaceAll('OUT', join(tree, 'out')).replaceAll('LINK', join(tree, 'linked'));
    const env = environmentOutside({ [name]: real(value) }, extentOf(ws, {}));
    expect(env[name]).toBe(kept && real(kept));
  });

  test('a package of a project is not led to the programs of the project', () => {
    const env = { PATH: `${join(ws, 'bin')}:/usr/bin` };
    expect(environmentOutside(env, extentOf(join(ws, 'packages/one'), {})).PATH).toBe('/usr/bin');
  });
});

describe('the extent of a workspace', () => {
  test('reaches to the project around it, but never to the home of the user', () => {
    const one = join(ws, 'packages/one');
    expect(extentOf(one, { HOME: join(tree, 'nobody') })).toEqual([one, ws]);
    expect(extentOf(one, { HOME: ws })).toEqual([one]);
  });

  test('contains what is not there yet, and what links lead through it', () => {
    expect(isSupplied(join(ws, 'later/x'), [ws])).toBe(true);
    expect(isSupplied(join(tree, 'linked/later'), [ws])).toBe(true);
    expect(isSupplied(join(tree, 'ws-other'), [ws])).toBe(false);
    expect(isSupplied('x', [ws])).toBe(true);
  });
});
