/** Where a chat keeps what outlives it: ours, among what the system keeps for the state of programs. */
import { join } from 'node:path';
import { sha256 } from '../../base/hash.ts';
import { stateDirectory } from '../../storage/user-directories.ts';

export interface ChatPlaces {
  readonly state: string;
  /** The workspace as records name it: a hash, so that none of them holds a path. */
  readonly workspace: string;
  /** What was typed in this workspace. */
  readonly history: string;
  /** What became of every speculation. */
  readonly outcomes: string;
}

export function chatPlaces(env: NodeJS.ProcessEnv, workspaceRoot: string): ChatPlaces {
  const state = stateDirectory(env);
  const workspace = sha256(workspaceRoot).slice(0, 16);
  return {
    state,
    workspace,
    history: join(state, 'history', `${workspace}.jsonl`),
    outcomes: join(state, 'speculation.jsonl'),
  };
}
