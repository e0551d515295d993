/**
 * Lets a worker in a network namespace of its own reach Redis: listens on its loopback and passes everything on to a socket
 * in the file system, which all namespaces see. It ends with the process that started it.
 */
import { connect, createServer } from 'node:net';

const [port, socket = ''] = process.argv.slice(2);
const parent = process.ppid;

createServer((client) => {
  const server = connect(socket);
  client.pipe(server).pipe(client);
  const end = (): void => {
    client.destroy();
    server.destroy();
  };
  for (const side of [client, server]) side.on('error', end).on('close', end);
}).listen(Number(port), '127.0.0.1');

setInterval(() => {
  if (process.ppid !== parent) process.exit();
}, 200);
