import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insideSocket } from './inside-socket.ts';

let root = '';
const servers: Server[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'forerun-inside-'));
  await mkdir(join(root, 'tmp'));
});

afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(root, { recursive: true, force: true });
});

/** A socket that sends a word to whoever connects. */
async function listen(path: string, word: string): Promise<void> {
  const server = createServer((connection) => connection.end(word));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
}

async function wordFrom(path: string): Promise<string> {
  const connection = createConnection(path).setEncoding('utf8');
  let word = '';
  for await (const chunk of connection) word += chunk;
  return word;
}

const isLinux = process.platform === 'linux';

test.runIf(isLinux)('a socket of the program is reached, even if a link takes its place', async () => {
  const machine = join(root, 'machine');
  await listen(machine, 'the machine');
  await listen(join(root, 'tmp/own'), 'the program');
  await using reached = await insideSocket(root, '/tmp/own');
  await rename(join(root, 'tmp/own'), join(root, 'tmp/moved'));
  await symlink(machine, join(root, 'tmp/own'));
  expect(await wordFrom(reached.path)).toBe('the program');
});

test.runIf(isLinux)('nothing but a socket directly in /tmp is opened', async () => {
  const machine = join(root, 'machine');
  await listen(machine, 'the machine');
  await symlink(machine, join(root, 'tmp/link'));
  await symlink(root, join(root, 'tmp/directory'));
  await writeFile(join(root, 'tmp/file'), '');
  const paths = [
    '/tmp/link',
    '/tmp/directory/machine',
    '/tmp/file',
    '/tmp/gone',
    '/tmp/..',
    '/machine',
    'tmp/own',
  ];
  for (const path of paths)
    await expect(insideSocket(root, path), path).rejects.toMatchObject({ code: 'sandbox/socket-not-inside' });
});
