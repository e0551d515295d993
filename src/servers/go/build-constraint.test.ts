import { describe, expect, test } from 'vitest';
import { type GoPlatform, goPlatform, leftOutOfBuild } from './build-constraint.ts';

const linux: GoPlatform = { os: 'linux', architecture: 'amd64', tags: new Set() };

describe('a file is in the build by its name and its constraint', () => {
  const cases: readonly [string, string, 'read' | 'left out'][] = [
    ['a.go', 'package a\n', 'read'],
    ['a_linux.go', 'package a\n', 'read'],
    ['a_windows.go', 'package a\n', 'left out'],
    ['a_windows_test.go', 'package a\n', 'left out'],
    ['a_windows_amd64.go', 'package a\n', 'left out'],
    ['a_linux_arm64.go', 'package a\n', 'left out'],
    ['a_linux_amd64_test.go', 'package a\n', 'read'],
    ['windows.go', 'package a\n', 'read'],
    ['a_unix.go', 'package a\n', 'read'],
    ['a.go', '//go:build windows\n\npackage a\n', 'left out'],
    ['a.go', '//go:build !windows\n\npackage a\n', 'read'],
    ['a.go', '//go:build unix && (amd64 || arm64)\n\npackage a\n', 'read'],
    ['a.go', '//go:build linux && !amd64\n\npackage a\n', 'left out'],
    ['a.go', '//go:build integration\n\npackage a\n', 'left out'],
    ['a.go', '//go:build !integration\n\npackage a\n', 'read'],
    ['a.go', '//go:build ignore\n\npackage main\n', 'left out'],
    ['a.go', '// Copyright\n\n/* more\n   of it */\n\n//go:build windows\n\npackage a\n', 'left out'],
    ['a.go', 'package a\n\n//go:build windows\n', 'read'],
    ['testdata/a.go', 'package a\n', 'left out'],
    ['_examples/a.go', 'package a\n', 'read'],
    ['_examples/testdata/a.go', 'package a\n', 'left out'],
    ['_examples/_a.go', 'package a\n', 'left out'],
    ['x/_a.go', 'package a\n', 'left out'],
    // Only the go command knows these.
    ['a.go', '//go:build go1.99\n\npackage a\n', 'read'],
    ['a.go', '//go:build !cgo\n\npackage a\n', 'read'],
    ['a.go', '//go:build cgo && windows\n\npackage a\n', 'left out'],
    ['a.go', '//go:build (linux\n\npackage a\n', 'read'],
  ];
  test.each(cases)('%s %j is %s', (path, text, expected) => {
    expect(leftOutOfBuild(path, text, linux) === undefined).toBe(expected === 'read');
  });
});

test('tags and the platform come from the environment of the go command', () => {
  const machine = { platform: 'win32', arch: 'x64' };
  expect(goPlatform({}, machine)).toMatchObject({ os: 'windows', architecture: 'amd64' });
  const chosen = goPlatform({ GOOS: 'darwin', GOARCH: 'arm64', GOFLAGS: '-mod=mod -tags=a,b' }, machine);
  expect(chosen).toEqual({ os: 'darwin', architecture: 'arm64', tags: new Set(['a', 'b']) });
  expect(leftOutOfBuild('x.go', '//go:build a && darwin\n\npackage x\n', chosen)).toBeUndefined();
});
