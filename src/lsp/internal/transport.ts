/**
 * The transport to a server: a child process, or a socket to a server that another process started.
 *
 * Invariant: only a server that was started here is ever killed here.
 */
import { createConnection, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { abortable, Deadline } from '../../base/deadline.ts';
import type { Log } from '../../base/log.ts';
import { spawnChild } from '../../process/child-process.ts';
import { CommandNotFound } from '../../process/process-failure.ts';
import { ConnectFailed, type CrashReport, ServerNotFound } from '../server-failure.ts';
import type { ServerOptions } from '../server-options.ts';

export interface Transport {
  readonly readable: Readable;
  readonly writable: Writable;
  /** Absent for a server that runs elsewhere. */
  readonly pid: number | undefined;
  /** Resolves, never rejects, when the process has exited or the socket is closed. */
  readonly exited: Promise<CrashReport>;
  /** Kills a child process, or closes the socket to another process's server. */
  kill(): Promise<CrashReport>;
}

export function openTransport(options: ServerOptions, log: Log, signal: AbortSignal): Promise<Transport> {
  const { transport } = options;
  switch (transport.kind) {
    case 'stdio':
      return Promise.resolve(startChild(options, log));
    case 'tcp':
      return dial(transport, `${transport.host}:${transport.port}`, signal);
    case 'socket':
      return dial(transport, transport.path, signal);
  }
}

const dialMs = 5000;

function startChild(options: ServerOptions, log: Log): Transport {
  try {
    const child = spawnChild({
      command: options.command,
      cwd: options.cwd,
      env: environmentFor(options),
      log,
    });
    const exited = child.exited.then(
      ({ code, signal }): CrashReport => ({ exitCode: code, signal, stderrTail: child.stderrTail }),
    );
    return {
      readable: child.stdout,
      writable: child.stdin,
      pid: child.pid,
      exited,
      kill: () => child.terminate(0).then(() => exited),
    };
  } catch (thrown) {
    if (!(thrown instanceof CommandNotFound)) throw thrown;
    throw new ServerNotFound(thrown.program, options.installHint, { cause: thrown });
  }
}

/** GOWORK would point a Go server at another workspace than the one it is rooted in. */
function environmentFor(options: ServerOptions): NodeJS.ProcessEnv {
  const { GOWORK: _, ...environment } = options.env ?? process.env;
  return environment;
}

async function dial(
  to: { readonly host: string; readonly port: number } | { readonly path: string },
  address: string,
  caller: AbortSignal,
): Promise<Transport> {
  caller.throwIfAborted();
  using deadline = new Deadline(dialMs, caller);
  const socket = createConnection(to);
  try {
    await abortable(connected(socket), deadline.signal);
  } catch (thrown) {
    socket.destroy();
    if (caller.aborted && !deadline.expired) throw caller.reason;
    throw new ConnectFailed(address, thrown instanceof Error ? thrown : new Error(String(thrown)));
  }
  socket.setNoDelay(true);
  const report: CrashReport = { exitCode: undefined, signal: undefined, stderrTail: '' };
  const exited = new Promise<CrashReport>((resolve) => socket.once('close', () => resolve(report)));
  return { readable: socket, writable: socket, pid: undefined, exited, kill: () => hangUp(socket, exited) };
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    // Stays attached: an error after the connection is reported by the closing of the socket, too.
    socket.on('error', reject);
  });
}

function hangUp(socket: Socket, exited: Promise<CrashReport>): Promise<CrashReport> {
  socket.destroy();
  return exited;
}
