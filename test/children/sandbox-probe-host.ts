/** Listens on sockets of the host, in its working directory and elsewhere, until its standard input ends. */
import { chmodSync, linkSync, renameSync } from 'node:fs';
import { createServer } from 'node:net';

/** A path to bind; with `becomes` it is renamed or linked afterwards. */
export interface HostSocket {
  readonly bind: string;
  readonly becomes?: { readonly how: 'rename' | 'link'; readonly path: string };
}

const sockets: readonly HostSocket[] = JSON.parse(process.argv[2] ?? '[]');

const listening = (at: { path: string } | { host: string; port: number }): Promise<number> =>
  new Promise((resolve, reject) => {
    // A client that is gone before it read the greeting resets the connection.
    const server = createServer((socket) => socket.on('error', () => {}).end('hello'));
    server.once('error', reject);
    server.listen(at, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });

for (const { bind, becomes } of sockets) {
  await listening({ path: bind });
  if (bind.startsWith('\0')) continue;
  chmodSync(bind, 0o777);
  if (becomes?.how === 'rename') renameSync(bind, becomes.path);
  if (becomes?.how === 'link') linkSync(bind, becomes.path);
}
process.stdout.write(`${await listening({ host: '127.0.0.1', port: 0 })}\n`);
process.stdin.on('end', () => process.exit()).resume();
