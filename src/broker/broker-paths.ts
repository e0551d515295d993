/**
 * The files by which clients find a broker.
 *
 * Invariant: one workspace and one server always have the same directory; only the user can access it.
 */
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { cachePlaces, runtimeDirectory } from '../storage/own-places.ts';
import { workspaceKey } from '../storage/workspace-key.ts';

export interface BrokerPaths {
  readonly directory: string;
  /** Describes the broker; written once it can be reached. */
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

/** The directory of a server in a workspace. */
export function placeOf(home: string, of: BrokerKey, env: Environment): BrokerPaths {
  return filesIn(join(brokersIn(home), keyOf(of)), env);
}

/** The files in the directory of a broker. */
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

/** The log file of a broker's processes. */
export function logOf(home: string, of: BrokerKey): string {
  return join(logsIn(home), `${of.server.replaceAll(/[^\w.-]/g, '_')}-${keyOf(of)}.log`);
}

export function logsIn(home: string): string {
  return cachePlaces.brokerLogs(home);
}

function keyOf({ root, server }: BrokerKey): string {
  return workspaceKey(root, server);
}

/** The shortest of the usual limits on socket paths, without the closing zero. */
const longestSocketPath = 103;

function socketOf(directory: string, env: Environment): string {
  const key = workspaceKey(directory);
  if (process.platform === 'win32') return `\\\\.\\pipe\\forerun-${key}`;
  const beside = join(directory, 'daemon.sock');
  return Buffer.byteLength(beside) <= longestSocketPath ? beside : join(runtimeDirectory(env), `${key}.sock`);
}
