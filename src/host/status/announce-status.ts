/** Lists this process in `forerun status` until the result is disposed. */
import type { Log } from '../../base/log.ts';
import { type Described, ownStatus } from './own-status.ts';
import { runDirectories } from './run-directory.ts';
import { answerStatus } from './status-listener.ts';

export interface Announcement {
  /** The command that the process runs, as its user typed it. */
  readonly command: string;
  /** Called for every request. */
  readonly describe: () => Described;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

export function announceStatus({ command, describe, env, log }: Announcement): Promise<AsyncDisposable> {
  const status = () => ownStatus(command, describe());
  return answerStatus({ directories: runDirectories(env), describe: status, log });
}
