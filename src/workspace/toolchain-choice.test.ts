import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installedToolchains } from './toolchain-choice.ts';

let tree = '';

beforeEach(() => {
  tree = realpathSync(mkdtempSync(join(tmpdir(), 'forerun-toolchain-')));
  for (const name of ['ws/evil', 'rustup/toolchains/stable-x', 'rustup/toolchains/nightly-2025-01-01-x']) {
    mkdirSync(join(tree, name), { recursive: true });
  }
  symlinkSync(join(tree, 'ws/evil'), join(tree, 'rustup/toolchains/linked'));
  writeFileSync(join(tree, 'rustup/settings.toml'), 'version = "12"\ndefault_toolchain = "stable-x"\n');
});

afterEach(() => rmSync(tree, { recursive: true, force: true }));

test.each([
  ['a path', 'rust-toolchain.toml', '[toolchain]\npath = "/ws/evil"\n', 'stable-x'],
  [
    'an installed channel',
    'rust-toolchain.toml',
    '[toolchain]\nchannel = "nightly-2025-01-01"\n',
    'nightly-2025-01-01-x',
  ],
  [
    'an installed channel, in the older form',
    'rust-toolchain',
    'nightly-2025-01-01\n',
    'nightly-2025-01-01-x',
  ],
  ['a channel that is not installed', 'rust-toolchain.toml', '[toolchain]\nchannel = "1.2.3"\n', 'stable-x'],
  ['a toolchain that is a link into it', 'rust-toolchain', 'linked\n', 'stable-x'],
  ['a path as a channel', 'rust-toolchain', '../../ws/evil\n', 'stable-x'],
])('a workspace that names %s', (_, file, text, expected) => {
  writeFileSync(join(tree, 'ws', file), text);
  const env = { RUSTUP_HOME: join(tree, 'rustup') };
  expect(installedToolchains(env, [join(tree, 'ws')])).toEqual({
    GOTOOLCHAIN: 'local',
    RUSTUP_TOOLCHAIN: expected,
  });
});

test('what the user chose goes first, and without rustup nothing is chosen', () => {
  const extent = [join(tree, 'ws')];
  expect(installedToolchains({ RUSTUP_TOOLCHAIN: 'mine' }, extent).RUSTUP_TOOLCHAIN).toBe('mine');
  expect(installedToolchains({ HOME: join(tree, 'nobody') }, extent)).toEqual({ GOTOOLCHAIN: 'local' });
});
