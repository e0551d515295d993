/**
 * What the servers of the broker send to all clients: registrations and progress.
 *
 * Invariant: a client that was sent the begin of a progress is sent its end, also if the server has exited; a client
 * that connects late is sent the progress still running before its first request is answered.
 */
import { type ProtocolMessage, progressReport, quiescenceReport } from '../lsp/brokered-message.ts';
import type { Registration } from '../lsp/capabilities.ts';
import type { WorkInProgress } from '../lsp/progress.ts';
import type { Replica } from '../servers/pool/replica.ts';

/** A client that receives the broadcasts. */
export interface Audience {
  notify(message: ProtocolMessage): void;
  setRegistrations(registrations: ReadonlyMap<string, Registration>): void;
}

export class BrokerBroadcast {
  /** Each server in use, with the number that distinguishes its tokens from the others'. */
  readonly #servers = new Map<Replica, number>();
  readonly #everybody: () => Iterable<Audience>;
  /** Tokens that a client chose; their progress is sent to that client only. */
  readonly #isAskedFor: (token: string | number) => boolean;
  #registrations: ReadonlyMap<string, Registration> = new Map();
  #count = 0;

  constructor(options: {
    readonly everybody: () => Iterable<Audience>;
    readonly isAskedFor: (token: string | number) => boolean;
  }) {
    this.#everybody = options.everybody;
    this.#isAskedFor = options.isAskedFor;
  }

  add(replica: Replica): void {
    this.#count += 1;
    this.#servers.set(replica, this.#count);
    this.register();
    for (const work of this.#workOf(replica)) this.report(replica, work.token, beginning(work));
    this.tellStatus();
  }

  remove(replica: Replica): void {
    for (const { token } of this.#workOf(replica)) this.report(replica, token, { kind: 'end' });
    this.#servers.delete(replica);
    this.tellStatus();
  }

  /** Progress that the server began by itself. */
  report(replica: Replica, token: string | number, value: unknown): void {
    for (const client of this.#everybody()) {
      client.notify(progressReport(this.#tokenOf(replica, token), value));
    }
  }

  /** Sends a new client what it has missed. */
  catchUp(client: Audience): void {
    client.setRegistrations(this.#registrations);
    for (const replica of this.#servers.keys()) {
      for (const work of this.#workOf(replica)) {
        client.notify(progressReport(this.#tokenOf(replica, work.token), beginning(work)));
      }
    }
    this.#tellStatusTo(client);
  }

  /** Call when the quiescence of a server has changed. */
  tellStatus(): void {
    for (const client of this.#everybody()) this.#tellStatusTo(client);
  }

  #tellStatusTo(client: Audience): void {
    const states = [...this.#servers.keys()].map(({ server }) => server.progress.isQuiescent);
    const announced = states.filter((state) => state !== undefined);
    if (announced.length === 0) return;
    client.notify(quiescenceReport({ isQuiescent: announced.every(Boolean) }));
  }

  /** Updates the registrations; several servers of one kind register the same under ids of their own. */
  register(): void {
    const running = [...this.#servers.keys()].filter(({ server }) => server.isRunning);
    // Between the exit of one server and the start of the next, the registrations are kept.
    if (running.length === 0) return;
    const union = new Map<string, Registration>();
    for (const { server } of running) {
      for (const registration of server.capabilities.registered) {
        const id = `${registration.method} ${JSON.stringify(registration.options ?? null)}`;
        union.set(id, { ...registration, id });
      }
    }
    this.#registrations = union;
    for (const client of this.#everybody()) client.setRegistrations(union);
  }

  #workOf({ server }: Replica): readonly WorkInProgress[] {
    return server.progress.active.filter(({ token }) => !this.#isAskedFor(token));
  }

  #tokenOf(replica: Replica, token: string | number): string {
    return `server-${this.#servers.get(replica) ?? 0}/${token}`;
  }
}

function beginning({ token: _, ...work }: WorkInProgress): unknown {
  return { kind: 'begin', ...work };
}
