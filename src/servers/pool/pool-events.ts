/**
 * Publishes when the servers of one pool become ready, crash and recover.
 *
 * Invariant: `ready` is emitted once, and `recovered` only after `crashed`.
 */
import type { Channel } from '../../base/channel.ts';
import type { Failure } from '../../base/failure.ts';
import { failureLogger, type Log } from '../../base/log.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import type { ServerEvent } from './server-event.ts';

export class PoolEvents {
  readonly #name: string;
  readonly #events: Channel<ServerEvent> | undefined;
  readonly #log: Log;
  #hasCrashed = false;
  #isReady = false;

  constructor(name: string, events: Channel<ServerEvent> | undefined, log: Log) {
    this.#name = name;
    this.#events = events;
    this.#log = log;
  }

  /** Observes a started server until it exits. */
  follow(server: LanguageServer, onCrash: (failure: Failure) => void, signal: AbortSignal): void {
    if (this.#hasCrashed) this.#tell('recovered', 'is running again');
    this.#hasCrashed = false;
    // Both promises settle with the server; no caller waits for them.
    server.progress.whenIdle(signal).then(
      () => this.#tellReady(),
      () => undefined,
    );
    server.exited
      .then((exit) => {
        if (exit.kind !== 'crashed') return;
        this.#hasCrashed = true;
        onCrash(exit.failure);
        this.#events?.emit({ kind: 'crashed', server: this.#name, message: exit.failure.message });
      })
      .catch(failureLogger(this.#log, 'server.crash-not-reported'));
  }

  #tellReady(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    this.#tell('ready', 'has loaded the workspace');
  }

  #tell(kind: ServerEvent['kind'], what: string): void {
    this.#events?.emit({ kind, server: this.#name, message: `${this.#name} ${what}` });
  }
}
