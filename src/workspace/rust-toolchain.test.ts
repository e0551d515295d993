import { expect, test } from 'vitest';
import { readToolchainFile } from './rust-toolchain.ts';

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
