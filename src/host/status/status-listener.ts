/**
 * Answers every connection to this process's status socket with its status.
 *
 * Invariant: nothing is measured before a client connects, and listening never keeps the process running.
 */
import { once } from 'node:events';
import { chmod, unlink } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { isLiving } from '../../process/living-process.ts';
import { makePrivateDirectory } from '../../storage/user-directories.ts';
import { socketIn, socketsIn } from './run-directory.ts';
import type { StatusDocument } from './status-document.ts';

export interface StatusListenerOptions {
  /** The directories to try, the best first. */
  readonly directories: readonly string[];
  readonly describe: () => Promise<StatusDocument>;
  readonly log: Log;
}

/** Starts to listen if possible; a process without a status socket works normally. */
export async function answerStatus(options: StatusListenerOptions): Promise<AsyncDisposable> {
  for (const directory of options.directories) {
    try {
      return await StatusListener.open(directory, options);
    } catch (thrown) {
      options.log.debug('status.not-listening', {
        directory,
        code: 'cli/status-not-listening',
        error: messageOf(thrown),
      });
    }
  }
  return { [Symbol.asyncDispose]: async () => {} };
}

class StatusListener implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #log: Log;

  private constructor({ describe, log }: StatusListenerOptions) {
    this.#log = log;
    this.#server = createServer((socket) => this.#answer(socket, describe));
    this.#server.unref();
  }

  static async open(directory: string, options: StatusListenerOptions): Promise<StatusListener> {
    const { path } = socketIn(directory, process.pid);
    if (process.platform !== 'win32') {
      makePrivateDirectory(directory);
      await sweep(directory);
    }
    const listener = new StatusListener(options);
    listener.#server.listen(path);
    await once(listener.#server, 'listening');
    if (process.platform !== 'win32') await chmod(path, 0o600);
    return listener;
  }

  /** Node removes the socket of a closed server. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #answer(socket: Socket, describe: () => Promise<StatusDocument>): void {
    this.#sockets.add(socket);
    socket.unref();
    socket.once('close', () => this.#sockets.delete(socket));
    // The client may have disconnected without waiting for the answer.
    socket.on('error', (error) => this.#log.debug('status.asker-gone', { error: error.message }));
    describe().then(
      (status) => socket.end(JSON.stringify(status)),
      (thrown: unknown) => {
        this.#log.warning('status.failed', { code: 'cli/status-failed', error: messageOf(thrown) });
        socket.destroy();
      },
    );
  }
}

/** Removes the sockets of processes that were killed, also one with our own process id. */
async function sweep(directory: string): Promise<void> {
  for (const { pid, path } of await socketsIn(directory)) {
    const isStale = pid === process.pid || !isLiving({ pid, started: '' });
    if (isStale) await unlink(path).catch(() => undefined);
  }
}
