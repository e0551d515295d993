/** The files that outlive a chat, in the user's state directory. */
import { join } from 'node:path';
import { statePlaces } from '../../storage/own-places.ts';
import { stateDirectory } from '../../storage/user-directories.ts';
import { workspaceKey } from '../../storage/workspace-key.ts';

export interface ChatPaths {
  readonly state: string;
  /** The workspace as records name it: a hash, so that no record holds a path. */
  readonly workspace: string;
  /** The inputs typed in this workspace. */
  readonly history: string;
  /** The outcome of every speculation. */
  readonly outcomes: string;
}

export function chatPaths(env: NodeJS.ProcessEnv, workspaceRoot: string): ChatPaths {
  const state = stateDirectory(env);
  const workspace = workspaceKey(workspaceRoot);
  return {
    state,
    workspace,
    history: join(statePlaces.histories(state), `${workspace}.jsonl`),
    outcomes: statePlaces.outcomes(state),
  };
}
