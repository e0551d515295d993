/** The reference cache among several processes, and when one of them is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Log, type LogRecord } from '../../src/base/log.ts';
import { ReferenceCache } from '../../src/storage/reference-cache.ts';
import { childProgram } from '../support/child-program.ts';

const child = childProgram('cache-child');
let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'forerun-cache-process-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** Runs a writer; killed after so many numbers, or left to its end. */
async function write(label: string, { count = 0, killAfter = 0 }): Promise<number> {
  const writer = spawn(process.execPath, [child, directory, label, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(writer, 'exit');
  let kept = -1;
  for await (const line of createInterface({ input: writer.stdout })) {
    kept = Number(line);
    if (killAfter > 0 && kept === killAfter) writer.kill('SIGKILL');
  }
  await ended;
  return kept;
}

async function keys(label: string, count: number): Promise<{ missing: number[]; events: string[] }> {
  const records: LogRecord[] = [];
  const log = new Log((record) => records.push(record));
  using cache = await ReferenceCache.open({ directory, log });
  const all = Array.from({ length: count }, (_, n) => n);
  const missing = all.filter((n) => cache?.answer(`${label}${n}`, 'f') === undefined);
  return { missing, events: records.map(({ event }) => event) };
}

test('a process killed while it writes leaves a cache that opens, with all it had kept', async () => {
  for (const killAfter of [3, 40, 200]) {
    const kept = await write(`k${killAfter}-`, { killAfter });
    expect(await keys(`k${killAfter}-`, kept + 1)).toEqual({ missing: [], events: [] });
  }
});

test('two processes write at once, and nothing of either is lost', async () => {
  await Promise.all([write('a', { count: 150 }), write('b', { count: 150 })]);
  expect(await keys('a', 150)).toEqual({ missing: [], events: [] });
  expect(await keys('b', 150)).toEqual({ missing: [], events: [] });
});
