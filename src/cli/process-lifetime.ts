/**
 * The lifetime of a command: it ends with its work, a signal or an uncaught error, and is always cleaned up.
 *
 * Invariant: cleaning up takes at most the grace period; after that the process exits anyway.
 */
import { messageOf } from '../base/failure.ts';

const graceMs = 5000;

export interface ProcessLifetime {
  /** Aborts when the process is asked to exit. */
  readonly signal: AbortSignal;
  /** Starts the grace period: only cleaning up is left to do. */
  closing(): void;
}

const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Runs the work and exits with its code, or with the code of the signal or error that ended it. */
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
  // A closed pipe (`| head`) is not worth a stack trace.
  process.stdout.on('error', (error) => end(141, error));
  const finished = await work({ signal: controller.signal, closing });
  return flushAndExit(forced ?? finished);
}

/** Output to a pipe is asynchronous; exiting before it is written would truncate it. */
async function flushAndExit(code: number): Promise<never> {
  await new Promise<void>((resolve) => {
    if (!process.stdout.writable || process.stdout.writableLength === 0) resolve();
    else process.stdout.write('', () => resolve());
  });
  process.exit(code);
}
