/**
 * Where a broker keeps what others find it by.
 *
 * Invariant: one workspace and one server have one place, whoever asks; nobody but the user can reach into it.
 */
import { join } from 'node:path';
import { cachePlaces, runtimeDirectory } from '../storage/own-places.ts';
import type { Environment } from '../storage/user-directories.ts';
import { workspaceKey } from '../storage/workspace-key.ts';

export interface BrokerPaths {
  readonly directory: string;
  /** Tells what runs here; written when it can be reached. */
  readonly record: string;
  /** The process that runs here, or is about to. */
  readonly owner: string;
  /** A socket, or the name of a pipe. */
  readonly socket: string;
}

/** The directory that holds one directory for each broker. */
export function brokersIn(home: string): string {
  return cachePlaces.brokers(home);
}

/** The place of a server in a workspace. */
export function placeOf(home: string, of: BrokerKey, env: Environment): BrokerPaths {
  return filesIn(join(brokersIn(home), keyOf(of)), env);
}

/** What lies where in the directory of a broker. */
export function filesIn(directory: string, env: Environment): BrokerPaths {
  return {
    directory,
    record: join(directory, 'daemon.json'),
    owner: join(directory, 'daemon.pid'),
    socket: socketOf(directory, env),
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
  return cachePlaces.brokerLogs(home);
}

function keyOf({ root, server }: BrokerKey): string {
  return workspaceKey(root, server);
}

/** What the shortest of the usual limits leaves room for, its closing zero taken off. */
const longestSocketPath = 103;

function socketOf(directory: string, env: Environment): string {
  const key = workspaceKey(directory);
  if (process.platform === 'win32') return `\\\\.\\pipe\\forerun-${key}`;
  const beside = join(directory, 'daemon.sock');
  return Buffer.byteLength(beside) <= longestSocketPath ? beside : join(runtimeDirectory(env), `${key}.sock`);
}
