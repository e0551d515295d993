import { expect, test } from 'vitest';
import { cargoUnits, sourcesIn } from './cargo-unit.ts';

const place = { directory: '/work', root: '/work' };
const hash = '0123456789abcdef';

function unitsIn(
  stdout: object[],
  stderr: string[] = [],
): readonly (readonly [string, readonly string[], string])[] {
  const units = cargoUnits({
    ...place,
    stdout: stdout.map((record) => JSON.stringify(record)).join('\n'),
    stderr: stderr.join('\n'),
    ofCompiler: ['unix', 'debug_assertions'],
  });
  return units.map(({ depInfo, settings, isBegun }) => [
    depInfo,
    [...settings.set].sort(),
    `${isBegun ? 'begun' : 'ended'}, ${settings.isWhole ? 'all' : 'some'} settings known`,
  ]);
}

const artifact = {
  reason: 'compiler-artifact',
  package_id: 'kit',
  target: { src_path: '/work/src/lib.rs', crate_types: ['lib'] },
  profile: { test: true, debug_assertions: true },
  features: ['std'],
  filenames: [`/build/debug/deps/libkit-${hash}.rmeta`],
};

const running = (words: string) =>
  `     Running \`/bin/rustc --crate-name kit --edition=2021 src/lib.rs --check-cfg 'cfg(feature, values("a"))' -C extra-filename=-${hash} --out-dir /build/debug/deps ${words}\``;

test('of a target that was up to date, what cargo reports is known', () => {
  const script = { reason: 'build-script-executed', package_id: 'kit', cfgs: ['from_script'] };
  expect(unitsIn([script, artifact])).toEqual([
    [
      `/build/debug/deps/kit-${hash}.d`,
      ['debug_assertions', 'feature="std"', 'from_script', 'test', 'unix'],
      'ended, some settings known',
    ],
  ]);
});

test('of a target that was compiled, everything is known', () => {
  const line = running(`--test --cfg 'feature="std"' --cfg custom`);
  expect(unitsIn([artifact], [line])).toEqual([
    [
      `/build/debug/deps/kit-${hash}.d`,
      ['custom', 'debug_assertions', 'feature="std"', 'test', 'unix'],
      'ended, all settings known',
    ],
  ]);
});

test('a target that failed was begun', () => {
  expect(unitsIn([], [running('')])).toEqual([
    [`/build/debug/deps/kit-${hash}.d`, ['debug_assertions', 'unix'], 'begun, all settings known'],
  ]);
});

test('for another platform, what this machine sets does not count', () => {
  expect(unitsIn([], [running('--target wasm32-unknown-unknown')])).toEqual([
    [`/build/debug/deps/kit-${hash}.d`, [], 'begun, some settings known'],
  ]);
});

test('a build script is a target too, a dependency is none', () => {
  const target = { src_path: '/work/build.rs', crate_types: ['bin'] };
  const filenames = [`/build/debug/build/kit-${hash}/build-script-build`];
  const foreign = { ...artifact, target: { src_path: '/registry/lib.rs' } };
  expect(unitsIn([{ ...artifact, target, filenames }, foreign]).map(([depInfo]) => depInfo)).toEqual([
    `/build/debug/build/kit-${hash}/build_script_build-${hash}.d`,
  ]);
});

test('a listing names the sources in the workspace', () => {
  const listing =
    '/b/kit.d: src/lib.rs src/../README.md\n\nsrc/lib.rs:\nsrc/../README.md:\na\\ b.rs:\n/registry/x.rs:\n';
  expect(sourcesIn(listing, place)).toEqual(['src/lib.rs', 'README.md', 'a b.rs']);
});
