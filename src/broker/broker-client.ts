/**
 * A connection to a running broker for requests about the broker itself, not for its servers.
 *
 * Invariant: nothing here starts a broker or waits longer than its deadline for one that does not answer.
 */
import { createConnection, type Socket } from 'node:net';
import { abortable, Deadline } from '../base/deadline.ts';
import { silentLog } from '../base/log.ts';
import { ClientConnection } from '../lsp/client-connection.ts';
import { type BrokerState, brokerRequests, parseBrokerState } from './broker-state.ts';

/** How long a broker may take to answer a request about itself. */
const answerMs = 2000;

export class BrokerClient implements Disposable {
  /** Resolves when the broker has closed the connection. */
  readonly ended: Promise<void>;
  readonly #connection: ClientConnection;

  private constructor(socket: Socket) {
    const nothing = { request: () => null, notification: () => {} };
    this.#connection = new ClientConnection(socket, nothing, silentLog);
    this.ended = this.#connection.ended;
  }

  /** Undefined if no process listens there. */
  static async open(path: string, signal: AbortSignal): Promise<BrokerClient | undefined> {
    using deadline = new Deadline(answerMs, signal);
    const socket = createConnection({ path });
    try {
      await abortable(connected(socket), deadline.signal);
      return new BrokerClient(socket);
    } catch (thrown) {
      socket.destroy();
      if (signal.aborted) throw signal.reason;
      if (thrown instanceof Error) return undefined;
      throw thrown;
    }
  }

  /** Undefined if it does not answer, or not in the expected form. */
  async state(signal: AbortSignal): Promise<BrokerState | undefined> {
    return parseBrokerState(await this.#ask(brokerRequests.state, signal));
  }

  /** Asks the broker to stop; it closes the connection after it has released its claim. */
  async stop(signal: AbortSignal): Promise<void> {
    await this.#ask(brokerRequests.stop, signal);
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }

  async #ask(method: string, signal: AbortSignal): Promise<unknown> {
    using deadline = new Deadline(answerMs, signal);
    try {
      return await this.#connection.request(method, undefined, deadline.signal);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      return undefined;
    }
  }
}

/** The state of the broker at `path`. */
export async function askBroker(path: string, signal: AbortSignal): Promise<BrokerState | undefined> {
  using line = await BrokerClient.open(path, signal);
  return await line?.state(signal);
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    // Stays attached: an error after the connection is reported by the closing of the socket, too.
    socket.on('error', reject);
  });
}
