import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readToolchainFile, substituteLibrary } from './rust-toolchain.ts';

test.each([
  ['stable\n', 'stable'],
  ['nightly-2025-01-01', 'nightly-2025-01-01'],
  ['[toolchain]\nchannel = "1.75"\ncomponents = ["clippy"]\n', '1.75'],
])('%j chooses %s among what is installed', (text, name) => {
  expect(readToolchainFile(text)).toEqual({ kind: 'installed', name });
});

test.each([
  '[toolchain]\npath = "./evil"\n',
  '[toolchain]\nchannel = "stable"\npath = "./evil"\n',
  '[toolchain]\nchannel = "../evil"\n',
  '[toolchain]\nchannel = "/evil"\n',
  '[toolchain]\nchannel = 7\n',
  './evil',
  '/evil/bin',
  '--help',
  '[toolchain',
  '',
])('%j chooses nothing', (text) => {
  expect(readToolchainFile(text)).toEqual({ kind: 'refused' });
});

test('the sources of another installation stand in only for a toolchain without its own', () => {
  const root = mkdtempSync(join(tmpdir(), 'forerun-sysroot-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const libraryIn = (sysroot: string): string =>
    join(root, sysroot, 'lib', 'rustlib', 'src', 'rust', 'library');
  for (const sysroot of ['whole', 'packaged']) {
    mkdirSync(join(libraryIn(sysroot), 'core', 'src'), { recursive: true });
    writeFileSync(join(libraryIn(sysroot), 'core', 'src', 'lib.rs'), '');
  }
  const packaged = [libraryIn('absent'), libraryIn('packaged')];
  expect(substituteLibrary(join(root, 'whole'), packaged)).toBeUndefined();
  expect(substituteLibrary(join(root, 'bare'), packaged)).toBe(libraryIn('packaged'));
  expect(substituteLibrary(join(root, 'bare'), [libraryIn('absent')])).toBeUndefined();
});
