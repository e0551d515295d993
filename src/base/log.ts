/**
 * The log port. An event says what happened, its fields say to what; where records go is decided by
 * whoever composes the program, never here.
 *
 * Invariant: file contents and secrets are never fields.
 */
import { messageOf } from './failure.ts';

export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type LogLevel = (typeof logLevels)[number];

export type LogFields = Readonly<Record<string, unknown>>;

export interface LogRecord {
  readonly level: LogLevel;
  readonly logger: string;
  readonly event: string;
  readonly fields: LogFields;
}

export type LogSink = (record: LogRecord) => void;

/** A named logger over a sink; `child` names a part of the program. */
export class Log {
  readonly #sink: LogSink;
  readonly #logger: string;

  constructor(sink: LogSink, logger = 'forerun') {
    this.#sink = sink;
    this.#logger = logger;
  }

  child(logger: string): Log {
    return new Log(this.#sink, logger);
  }

  write(level: LogLevel, event: string, fields: LogFields = {}): void {
    this.#sink({ level, logger: this.#logger, event, fields });
  }

  debug(event: string, fields?: LogFields): void {
    this.write('debug', event, fields);
  }

  info(event: string, fields?: LogFields): void {
    this.write('info', event, fields);
  }

  warning(event: string, fields?: LogFields): void {
    this.write('warning', event, fields);
  }

  error(event: string, fields?: LogFields): void {
    this.write('error', event, fields);
  }
}

/** A log nobody reads. */
export const silentLog: Log = new Log(() => {});

/** Whether a record of `level` passes a sink whose threshold is `threshold`. */
export function isAtLeast(level: LogLevel, threshold: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(threshold);
}

/** Handles the rejection of a promise that no caller awaits: `promise.catch(failureLogger(log, 'broker.client-not-removed'))`. */
export function failureLogger(log: Log, event: string): (thrown: unknown) => void {
  return (thrown) => log.error(event, { error: messageOf(thrown) });
}
