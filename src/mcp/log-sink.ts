/**
 * The destination of log records while MCP is served: standard error until a client has connected, then the client.
 *
 * Invariant: nothing is ever written to standard output, which belongs to the protocol.
 */
import { isAtLeast, type LogLevel, type LogRecord, type LogSink } from '../base/log.ts';

export class ConnectionLogSink {
  readonly #writeLine: (line: string) => void;
  #level: LogLevel;
  #isChosen = false;
  #client: LogSink | undefined;

  constructor(level: LogLevel, writeLine: (line: string) => void) {
    this.#level = level;
    this.#writeLine = writeLine;
  }

  /** Whether records of this level are enabled. */
  passes(level: LogLevel): boolean {
    return isAtLeast(level, this.#level);
  }

  readonly write: LogSink = (record) => {
    if (!this.passes(record.level)) return;
    if (this.#client) this.#client(record);
    else this.#writeLine(lineOf(record));
  };

  setLevel(level: LogLevel): void {
    this.#level = level;
    this.#isChosen = true;
  }

  /** Sets the level unless `setLevel` was called: the choice of a client stays. */
  setDefaultLevel(level: LogLevel): void {
    if (!this.#isChosen) this.#level = level;
  }

  /** From now on records are sent to the client. */
  attach(client: LogSink): void {
    this.#client = client;
  }

  detach(): void {
    this.#client = undefined;
  }
}

/** A record as one readable line of text. */
export function lineOf({ level, logger, event, fields }: LogRecord): string {
  const details = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
  return `[${level}] ${logger}: ${event}${details}`;
}
