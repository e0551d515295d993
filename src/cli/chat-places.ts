/** Where a chat keeps what outlives it: ours, among what the system keeps for the state of programs. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { sha256 } from '../base/hash.ts';

export interface ChatPlaces {
  readonly state: string;
  /** What was typed in this workspace. */
  readonly history: string;
  /** What became of every speculation. */
  readonly outcomes: string;
}

export function chatPlaces(env: NodeJS.ProcessEnv, workspaceRoot: string): ChatPlaces {
  // Absolute, because commits name files in there to whoever recovers them, wherever that is started.
  const state = resolve(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'forerun');
  return {
    state,
    history: join(state, 'history', `${sha256(workspaceRoot).slice(0, 16)}.jsonl`),
    outcomes: join(state, 'speculation.jsonl'),
  };
}
