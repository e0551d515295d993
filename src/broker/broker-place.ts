/**
 * Where a broker keeps what others find it by.
 *
 * Invariant: one workspace and one server have one place, whoever asks; nobody but the user can reach into it.
 */
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../base/failure.ts';
import { sha256 } from '../base/hash.ts';

export interface BrokerPlace {
  readonly directory: string;
  /** Tells what runs here; written when it can be reached. */
  readonly record: string;
  /** The process that runs here, or is about to. */
  readonly owner: string;
  /** A socket, or the name of a pipe. */
  readonly socket: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The directory below which all brokers of this user live. */
export function brokerHome(env: Environment): string {
  const chosen = env.FORERUN_DAEMON_DIR || env.AGENT_LSP_DAEMON_DIR;
  return chosen || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'forerun');
}

/** The directory that holds one directory for each broker. */
export function brokersIn(home: string): string {
  return join(home, 'daemons');
}

/** The place of a server in a workspace. */
export function placeOf(home: string, of: BrokerKey): BrokerPlace {
  return filesIn(join(brokersIn(home), keyOf(of)));
}

/** What lies where in the directory of a broker. */
export function filesIn(directory: string): BrokerPlace {
  return {
    directory,
    record: join(directory, 'daemon.json'),
    owner: join(directory, 'daemon.pid'),
    socket: socketOf(directory),
  };
}

export interface BrokerKey {
  readonly root: string;
  /** The name of its definition. */
  readonly server: string;
}

/** Where the processes of a broker, one after the other, leave what they print. */
export function logOf(home: string, of: BrokerKey): string {
  return join(logsIn(home), `${of.server.replaceAll(/[^\w.-]/g, '_')}-${keyOf(of)}.log`);
}

export function logsIn(home: string): string {
  return join(home, 'spawn-logs');
}

function keyOf({ root, server }: BrokerKey): string {
  return sha256(`${root}\0${server}`).slice(0, 12);
}

/** Makes the directory where it is missing, and refuses one that somebody else could tamper with. */
export function securePlace(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const stat = lstatSync(directory);
  if (!stat.isDirectory() || stat.uid !== userInfo().uid) throw new UnsafePlace(directory);
  if ((stat.mode & 0o077) !== 0) chmodSync(directory, 0o700);
}

/** The directory a socket lies in, when it is not the broker's own. */
function socketDirectory(): string {
  return join(process.env.XDG_RUNTIME_DIR || tmpdir(), `forerun-${userInfo().uid}`);
}

/** What the shortest of the usual limits leaves room for, its closing zero taken off. */
const longestSocketPath = 103;

function socketOf(directory: string): string {
  const key = sha256(directory).slice(0, 12);
  if (process.platform === 'win32') return `\\\\.\\pipe\\forerun-${key}`;
  const beside = join(directory, 'daemon.sock');
  return Buffer.byteLength(beside) <= longestSocketPath ? beside : join(socketDirectory(), `${key}.sock`);
}

class UnsafePlace extends Failure {
  readonly code = 'broker/unsafe-directory';
  readonly remedy = 'Remove it, or set FORERUN_DAEMON_DIR to a directory of your own.';

  constructor(directory: string) {
    super(`${directory} belongs to somebody else, so no broker is run in it`);
  }
}
