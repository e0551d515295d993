import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Log, silentLog } from '../base/log.ts';
import { AuditLog, type AuditLogOptions } from './audit-log.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'forerun-audit-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function openLog(options: Partial<AuditLogOptions> = {}): AuditLog {
  return new AuditLog({ path: join(directory, 'deep', 'audit.jsonl'), log: silentLog, ...options });
}

/** The numbers in the file and in the rotated files, oldest first. */
async function numbers(path: string, files = 5): Promise<number[]> {
  const names = [...Array.from({ length: files }, (_, index) => `${path}.${files - index}`), path];
  const texts = await Promise.all(names.map((name) => readFile(name, 'utf8').catch(() => '')));
  const lines = texts.join('').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line).n);
}

test('every record is written, in order, however many wait at once', async () => {
  const log = openLog({ maxWaiting: 8 });
  await Promise.all(Array.from({ length: 2000 }, (_, n) => log.record({ n })));
  await log.flush();
  expect((await numbers(log.path)).sort((a, b) => a - b)).toEqual(Array.from({ length: 2000 }, (_, n) => n));
});

test('one who records too fast waits for the disk', async () => {
  const log = openLog({ maxWaiting: 1 });
  let accepted = 0;
  const records = Array.from({ length: 4 }, (_, n) => log.record({ n }).then(() => accepted++));
  await Promise.resolve();
  expect(accepted).toBeLessThan(4);
  await Promise.all(records);
  await log.flush();
  expect(await numbers(log.path)).toHaveLength(4);
});

test('a grown file is put aside, and only so many are kept', async () => {
  const log = openLog({ maxBytes: 100, keptFiles: 2 });
  for (let n = 0; n < 60; n++) {
    await log.record({ n, filler: 'x'.repeat(20) });
    await log.flush();
  }
  expect((await readdir(join(directory, 'deep'))).sort()).toEqual(['audit.jsonl.1', 'audit.jsonl.2']);
  const kept = await numbers(log.path, 2);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 60 - kept.length + index));
});

test('two logs on one file lose nothing to each other, rotation included', async () => {
  const logs = [openLog({ maxBytes: 2000, keptFiles: 50 }), openLog({ maxBytes: 2000, keptFiles: 50 })];
  for (let n = 0; n < 200; n++) {
    await Promise.all(logs.map((log, which) => log.record({ n: 2 * n + which })));
    await Promise.all(logs.map((log) => log.flush()));
  }
  const found = await numbers(logs[0]?.path ?? '', 50);
  expect(new Set(found).size).toBe(400);
});

test('what could not be written is logged, counted and told in the next record', async () => {
  const received: string[] = [];
  const blocked = join(directory, 'blocked');
  await writeFile(blocked, 'a file where a directory should be');
  const log = openLog({
    path: join(blocked, 'audit.jsonl'),
    log: new Log(({ event }) => received.push(event)),
  });
  await log.record({ n: 1 });
  await log.flush();
  expect(received).toEqual(['audit.write-failed']);
  await rm(blocked);
  await log.record({ n: 2 });
  await log.flush();
  const lines = (await readFile(log.path, 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { timestamp: expect.any(String), dropped: 1 },
    { n: 2 },
  ]);
});

test('nobody else may read the file', async () => {
  const log = openLog();
  await log.record({ n: 1 });
  await log.flush();
  expect((await stat(log.path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(directory, 'deep'))).mode & 0o777).toBe(0o700);
});
