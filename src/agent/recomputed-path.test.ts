import { describe, expect, test } from 'vitest';
import { isRecomputed } from './recomputed-path.ts';

const env = { HOME: '/home/ann', TMPDIR: '/scratch', GOCACHE: '/fast/go', CARGO_HOME: '/tools/cargo' };

describe('computed again', () => {
  test.each([
    '/home/ann/.cache/pip/http/a',
    '/home/ann/.npm/_cacache/index-v5/00/aa',
    '/home/ann/.npm/_logs/2026-01-01-debug-0.log',
    '/home/ann/.cargo/registry/index/a',
    '/home/ann/.cargo/.package-cache',
    '/home/ann/.gradle/caches/8.5/x.lock',
    '/home/ann/.m2/repository/org/a/1.0/_remote.repositories',
    '/home/ann/go/pkg/mod/cache/lock',
    '/home/ann/.config/go/telemetry/local/go.count',
    '/home/ann/.bash_history',
    '/home/ann/lib/__pycache__/a.cpython-312.pyc',
    '/fast/go/00/a-d',
    '/tools/cargo/registry/src/a',
    '/tmp/pytest-of-ann/pytest-0/test_a0/out.txt',
    '/tmp/jest_rs/haste-map-1',
    '/tmp/node-compile-cache/v20/a',
    '/tmp/hsperfdata_ann/12',
    '/scratch/go-build123/b001/a.test',
    '/var/tmp/npm-12-abc/x',
    '/dev/shm/sem.abc',
  ])('%s', (path) => {
    expect(isRecomputed(path, env)).toBe(true);
  });
});

describe('lost', () => {
  test.each([
    '/tmp/report.xml',
    '/tmp/x',
    '/tmp/sub/cache/x',
    '/scratch/result.json',
    '/var/tmp/state',
    '/home/ann/notes.txt',
    '/home/ann/.gitconfig',
    '/home/ann/.cached-token',
    '/home/ann/.config/app/settings.json',
    '/home/ann/.local/bin/tool',
    '/home/ann/.cargo/bin/tool',
    '/home/ann/go/bin/tool',
    '/home/ann/.m2/repository/org/a/1.0/a-1.0.jar',
    '/home/ann/.cache-of-mine',
    '/home/bob/.cache/x',
    '/tools/cargo/bin/tool',
    '/tmp/my-npm-cache',
    '/tmp/jest-results.json',
    '/tmp/playwright-report.html',
    '/etc/hosts',
    '/run/app.pid',
  ])('%s', (path) => {
    expect(isRecomputed(path, env)).toBe(false);
  });
});

test('a variable that names no absolute directory makes nothing a cache', () => {
  expect(isRecomputed('/tmp/x', { HOME: '/home/ann', GOCACHE: 'off', XDG_CACHE_HOME: '', TMPDIR: '.' })).toBe(
    false,
  );
});
