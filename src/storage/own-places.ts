/**
 * All files and directories of ours, below the directories of `user-directories.ts`. Those of one workspace are named
 * by its `workspaceKey`.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { userId } from './user-directories.ts';

/** In the state directory: data that must survive a restart. */
export const statePlaces = {
  journals: (state: string): string => join(state, 'journal'),
  sessions: (state: string): string => join(state, 'sessions'),
  conversations: (state: string): string => join(state, 'conversations'),
  /** Lines typed in a chat, one file per workspace. */
  histories: (state: string): string => join(state, 'history'),
  /** The outcome of every speculation. */
  outcomes: (state: string): string => join(state, 'speculation.jsonl'),
  /** The texts of files before an agent edited them, by session of the agent. */
  editRecords: (state: string): string => join(state, 'edits'),
  trust: (state: string): string => join(state, 'trust.json'),
  /** Configurations of clients as they were before we changed them last, one file each. */
  setupBackups: (state: string): string => join(state, 'setup-backups'),
  /** The time of the last pruning. */
  cleaned: (state: string): string => join(state, 'cleaned'),
} as const;

/** In the cache directory: data that can be computed again. */
export const cachePlaces = {
  references: (cache: string): string => join(cache, 'references'),
  mounts: (cache: string): string => join(cache, 'mounts'),
  cargoTargets: (cache: string): string => join(cache, 'cargo-target'),
  /** Settings of language servers with ours added, one directory per server. */
  serverSettings: (cache: string): string => join(cache, 'server-settings'),
  brokers: (cache: string): string => join(cache, 'daemons'),
  brokerLogs: (cache: string): string => join(cache, 'spawn-logs'),
  statusSockets: (cache: string): string => join(cache, 'run'),
  /** Bare copies of the repositories that a worker evaluates. */
  mirrors: (cache: string): string => join(cache, 'mirrors'),
  /** Checkouts of workers, a directory for each process. */
  checkouts: (cache: string): string => join(cache, 'checkouts'),
} as const;

/** In the user's home directory, where other programs expect it. */
export function auditFile(home: string): string {
  return join(home, '.forerun', 'audit.jsonl');
}

/** For sockets of processes: the user's runtime directory, else one below the temporary directory. */
export function runtimeDirectory(env: Environment): string {
  return join(env.XDG_RUNTIME_DIR || tmpdir(), `forerun-${userId()}`);
}

/** Directories for the sockets of `forerun status`, the preferred one first. */
export function statusSocketDirectories(env: Environment, cache: string): readonly string[] {
  return [
    ...(env.XDG_RUNTIME_DIR ? [join(env.XDG_RUNTIME_DIR, 'forerun', 'run')] : []),
    cachePlaces.statusSockets(cache),
    join(tmpdir(), `forerun-${userId()}`, 'run'),
  ];
}
