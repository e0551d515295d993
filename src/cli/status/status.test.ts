import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { ownStatus } from '../../host/status/own-status.ts';
import { runDirectories, socketIn } from '../../host/status/run-directory.ts';
import { runningProcesses } from '../../host/status/running-processes.ts';
import type { StatusDocument } from '../../host/status/status-document.ts';
import { answerStatus } from '../../host/status/status-listener.ts';
import { WorkspaceRegistry } from '../../live/workspace-registry.ts';
import { plain } from '../print/palette.ts';
import { statusReport } from './status-report.ts';

const calm = new AbortController().signal;

/** A process that has opened nothing yet. */
const idle = {
  workspaces: new WorkspaceRegistry({ definitions: [], env: {}, log: silentLog }),
  sessions: [],
};

let directory: string;
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'forerun-run-')), 'run');
});
afterEach(() => rm(join(directory, '..'), { recursive: true, force: true }));

function listen(describe: () => Promise<StatusDocument> = () => ownStatus('forerun mcp', idle)) {
  return answerStatus({ directories: [directory], describe, log: silentLog });
}

describe.skipIf(process.platform === 'win32')('a process that listens', () => {
  test('is found and answers whoever asks, as often as they ask', async () => {
    await using _listener = await listen();
    for (let round = 0; round < 2; round += 1) {
      expect(await runningProcesses([directory], {}, calm)).toMatchObject([
        { kind: 'answered', status: { pid: process.pid, door: 'forerun mcp', servers: [], queue: 0 } },
      ]);
    }
  });

  test('can be reached by its user only, and leaves nothing behind', async () => {
    {
      await using _listener = await listen();
      const socket = socketIn(directory, process.pid).path;
      expect((await stat(directory)).mode & 0o777).toBe(0o700);
      expect((await stat(socket)).mode & 0o777).toBe(0o600);
    }
    expect(await readdir(directory)).toEqual([]);
  });

  test('is named when it does not answer', async () => {
    await mkdir(directory, { recursive: true });
    const stuck = createServer(() => {});
    await new Promise<void>((resolve) => stuck.listen(socketIn(directory, 4242).path, resolve));
    const found = await runningProcesses([directory], { timeoutMs: 50 }, calm);
    expect(found).toEqual([{ kind: 'silent', pid: 4242 }]);
    await new Promise((resolve) => stuck.close(resolve));
  });

  test('is named when it cannot describe itself, and asked again in vain', async () => {
    await using _listener = await listen(() => Promise.reject(new Error('no')));
    expect(await runningProcesses([directory], {}, calm)).toEqual([{ kind: 'silent', pid: process.pid }]);
  });

  test('takes the place of one with its number, and sweeps away those that are gone', async () => {
    await mkdir(directory, { recursive: true });
    const gone = 2 ** 22 + 7;
    for (const pid of [process.pid, gone]) await writeFile(socketIn(directory, pid).path, '');
    await writeFile(join(directory, 'else'), '');
    await using _listener = await listen();
    expect((await readdir(directory)).sort()).toEqual([`${process.pid}.sock`, 'else']);
  });

  test('listens elsewhere, or not at all, where a directory cannot be had', async () => {
    const file = `${directory}-file`;
    await writeFile(file, '');
    const describe = () => ownStatus('forerun mcp', idle);
    await using _listener = await answerStatus({
      directories: [join(file, 'run'), directory],
      describe,
      log: silentLog,
    });
    expect(await readdir(directory)).toHaveLength(1);
    await using _none = await answerStatus({ directories: [join(file, 'run')], describe, log: silentLog });
  });
});

test.skipIf(process.platform === 'win32')(
  'an address nobody listens at is removed by whoever asks there',
  async () => {
    await mkdir(directory, { recursive: true });
    await writeFile(socketIn(directory, 4242).path, '');
    expect(await runningProcesses([directory], {}, calm)).toEqual([]);
    expect(await readdir(directory)).toEqual([]);
  },
);

test('a directory too deep for a socket is passed over', () => {
  const deep = `/${'d'.repeat(90)}`;
  const env = { XDG_RUNTIME_DIR: '/run/user/7', XDG_CACHE_HOME: deep };
  expect(runDirectories(env)).toEqual(['/run/user/7/forerun/run', expect.stringContaining(tmpdir())]);
});

test('without processes there is a sentence', () => {
  expect(statusReport([], plain)).toBe('No forerun process of this user is serving.\n');
});

test('a person sees each process with its servers and sessions', () => {
  const mb = 1024 * 1024;
  const server = { name: 'typescript', workspace: '/work/app', way: 'buffers' } as const;
  const status: StatusDocument = {
    pid: 100,
    door: 'forerun mcp',
    version: '1.0.0',
    age_ms: 3_900_000,
    memory_bytes: 80 * mb,
    servers: [
      { ...server, state: 'busy', pid: 101, memory_bytes: 210 * mb, age_ms: 125_000 },
      { ...server, state: 'idle', pid: 102, memory_bytes: 90 * mb, age_ms: 5000 },
      { ...server, state: 'starting' },
    ],
    sessions: [
      {
        id: '0123456789abcdef',
        workspace: '/work/app',
        language: 'typescript',
        state: 'evaluated',
        edits: 2,
        age_ms: 61_000,
      },
    ],
    queue: 3,
    server_memory: { budget_bytes: 1000 * mb, used_bytes: 300 * mb },
  };
  const processes = [
    { kind: 'answered', status },
    { kind: 'silent', pid: 200 },
  ] as const;
  expect(statusReport(processes, plain)).toMatchInlineSnapshot(`
    "forerun mcp  pid 100, up 1h 5m, 80 MB, servers use 300 MB of 1000 MB, 3 waiting, 1 session
      typescript        busy       /work/app  buffers     pid 101  210 MB  2m
      typescript        idle       /work/app  buffers     pid 102   90 MB  5s
      typescript        starting   /work/app  buffers
      session 01234567  evaluated  /work/app  typescript  2 edits          1m

    pid 200  does not answer
    "
  `);
});
