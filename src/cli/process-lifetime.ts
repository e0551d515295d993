/**
 * The lifetime of a command: it ends with its work, with a signal or with an uncaught error, and is cleaned up
 * after in every case.
 *
 * Invariant: cleaning up takes at most the grace period; after that the process ends all the same.
 */
import { messageOf } from '../base/failure.ts';

const graceMs = 5000;

export interface ProcessLifetime {
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal;
  /** Says that only cleaning up is left to do; from now on the grace period runs. */
  closing(): void;
}

const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Runs the work and ends the process with the code it answers, or with that of whatever ended it. */
export async function runUntilExit(work: (lifetime: ProcessLifetime) => Promise<number>): Promise<never> {
  const controller = new AbortController();
  let forced: number | undefined;
  const closing = (): void => void setTimeout(() => process.exit(forced ?? 1), graceMs).unref();
  const end = (code: number, reason: unknown): void => {
    forced ??= code;
    controller.abort(reason);
    closing();
  };
  for (const [name, code] of Object.entries(signalCodes)) {
    process.once(name, () => end(code, new Error(`ended by ${name}`)));
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (thrown: unknown) => {
      process.stderr.write(`forerun: ${thrown instanceof Error ? thrown.stack : messageOf(thrown)}\n`);
      end(1, thrown);
    });
  }
  // A reader that has seen enough (`| head`) is no failure worth a stack trace.
  process.stdout.on('error', (error) => end(141, error));
  const finished = await work({ signal: controller.signal, closing });
  return flushAndExit(forced ?? finished);
}

/** Output to a pipe is written asynchronously; leaving before it is gone would cut it short. */
async function flushAndExit(code: number): Promise<never> {
  await new Promise<void>((resolve) => {
    if (!process.stdout.writable || process.stdout.writableLength === 0) resolve();
    else process.stdout.write('', () => resolve());
  });
  process.exit(code);
}
