/**
 * The life of a command: it ends with its work, with a signal or with an error nobody caught, and is cleaned up
 * after in every case.
 *
 * Invariant: cleaning up takes at most the grace period; after that the process ends all the same.
 */
import { messageOf } from '../base/failure.ts';

const graceMs = 5000;

export interface Life {
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal;
}

/** Runs the work and ends the process with the code it answers. */
export async function live(work: (life: Life) => Promise<number>): Promise<never> {
  const controller = new AbortController();
  let code = 0;
  const end = (exitCode: number, reason: unknown): void => {
    code ||= exitCode;
    controller.abort(reason);
    setTimeout(() => process.exit(code || 1), graceMs).unref();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => end(name === 'SIGINT' ? 130 : 0, new Error(`ended by ${name}`)));
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (thrown: unknown) => {
      process.stderr.write(`forerun: ${thrown instanceof Error ? thrown.stack : messageOf(thrown)}\n`);
      end(1, thrown);
    });
  }
  const finished = await work({ signal: controller.signal });
  return flushAndExit(code || finished);
}

/** Output to a pipe is written asynchronously; leaving before it is gone would cut it short. */
async function flushAndExit(code: number): Promise<never> {
  await new Promise<void>((resolve) => {
    if (!process.stdout.writable || process.stdout.writableLength === 0) resolve();
    else process.stdout.write('', () => resolve());
  });
  process.exit(code);
}
