/**
 * The workers of a queue, where the user of a command asks for them.
 *
 * Invariant: without `--queue`, nothing of the queue is loaded.
 */
import type { Log } from '../../base/log.ts';
import type { Evaluator } from '../../evaluation/evaluator.ts';
import type { JobPriority } from '../../queue/job.ts';

/** `asked` is the address, or `true` for that of the settings. */
export async function askedQueue(
  asked: string | true | undefined,
  options: { readonly priority: JobPriority; readonly env: NodeJS.ProcessEnv; readonly log: Log },
): Promise<(Evaluator & AsyncDisposable) | undefined> {
  if (asked === undefined) return undefined;
  const { openQueue } = await import('./queue-choice.ts');
  return openQueue({ url: asked === true ? undefined : asked, ...options });
}
