/** Which queue a command uses, and under whose name. */
import { hostname, userInfo } from 'node:os';
import type { Log } from '../../base/log.ts';
import { userSettings } from '../../host/user-settings.ts';
import type { JobPriority } from '../../queue/job.ts';
import { NoQueueAddress } from '../../queue/queue-failure.ts';
import { QueuedEvaluator } from '../../queue/queued-evaluator.ts';
import { userId } from '../../storage/user-directories.ts';

export interface QueueChoice {
  readonly url: string;
  readonly secret: string | undefined;
  readonly callerJobs: number;
  readonly callerJobsPerMinute: number;
}

/** The given address, else that of the settings; the secret comes from the environment or the settings only. */
export function queueChoice(url: string | undefined, env: NodeJS.ProcessEnv, log: Log): QueueChoice {
  const { queue, keys } = userSettings(env, log);
  const chosen = url ?? queue.url;
  if (chosen === undefined) throw new NoQueueAddress();
  const { callerJobs, callerJobsPerMinute } = queue;
  return { url: chosen, secret: keys.queue, callerJobs, callerJobsPerMinute };
}

export async function openQueue({
  url,
  priority,
  env,
  log,
}: {
  readonly url: string | undefined;
  readonly priority: JobPriority;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}): Promise<QueuedEvaluator> {
  const choice = queueChoice(url, env, log);
  return QueuedEvaluator.open({ ...choice, caller: callerName(), priority, env, log });
}

function callerName(): string {
  return `${userName()}@${hostname()}`;
}

/** A user id without a passwd entry has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(userId());
  }
}
