/**
 * Every file and directory of ours, below the directories that `user-directories.ts` finds for the user.
 * What belongs to one workspace lies there under its `workspaceKey`.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { userId } from './user-directories.ts';

/** In the state directory: what must survive a restart. */
export const statePlaces = {
  journals: (state: string): string => join(state, 'journal'),
  sessions: (state: string): string => join(state, 'sessions'),
  conversations: (state: string): string => join(state, 'conversations'),
  /** Lines typed in a chat, a file for each workspace. */
  histories: (state: string): string => join(state, 'history'),
  /** The outcome of every speculation. */
  outcomes: (state: string): string => join(state, 'speculation.jsonl'),
  trust: (state: string): string => join(state, 'trust.json'),
  /** When limits were last enforced. */
  cleaned: (state: string): string => join(state, 'cleaned'),
} as const;

/** In the cache directory: what can be computed again. */
export const cachePlaces = {
  references: (cache: string): string => join(cache, 'references'),
  mounts: (cache: string): string => join(cache, 'mounts'),
  cargoTargets: (cache: string): string => join(cache, 'cargo-target'),
  brokers: (cache: string): string => join(cache, 'daemons'),
  brokerLogs: (cache: string): string => join(cache, 'spawn-logs'),
  statusSockets: (cache: string): string => join(cache, 'run'),
} as const;

/** In the user's home, where other programs look for it. */
export function auditFile(home: string): string {
  return join(home, '.forerun', 'audit.jsonl');
}

/** For sockets that go with their processes: the user's runtime directory, else one below the temporary directory. */
export function runtimeDirectory(env: Environment): string {
  return join(env.XDG_RUNTIME_DIR || tmpdir(), `forerun-${userId()}`);
}

/** Where processes may listen for `forerun status`, the preferred directory first. */
export function statusSocketDirectories(env: Environment, cache: string): readonly string[] {
  return [
    ...(env.XDG_RUNTIME_DIR ? [join(env.XDG_RUNTIME_DIR, 'forerun', 'run')] : []),
    cachePlaces.statusSockets(cache),
    join(tmpdir(), `forerun-${userId()}`, 'run'),
  ];
}
