/**
 * The page's connection to the back end: one WebSocket, opened again whenever it ends.
 *
 * Invariants: events reach listeners in the order of their numbers, each once, across any number of reconnects. A request
 * is answered, failed or cancelled, never forgotten: those in flight when the connection ends fail with `link/lost`.
 */
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import {
  type ClientMessage,
  type EditorEvent,
  type GivenParamsOf,
  type MethodName,
  methods,
  protocolVersion,
  type ResultOf,
  type ServerMessage,
  type Snapshot,
  serverMessage,
  silenceMs,
  type WireFailure,
} from '../../src/editor/protocol.ts';
import { Backoff } from './backoff.ts';

export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'online' }
  /** Trying again at `retryAt`, in milliseconds since the epoch. */
  | { readonly kind: 'offline'; readonly retryAt: number }
  /** The token is not that of the running back end. */
  | { readonly kind: 'refused' }
  /** The page was built for another back end. */
  | { readonly kind: 'outdated' };

/** A request that the back end refused, or that could not reach it. */
export class RequestFailed extends Error {
  readonly failure: WireFailure;

  constructor(failure: WireFailure) {
    super(failure.message);
    this.name = 'RequestFailed';
    this.failure = failure;
  }
}

export type EventOf<Kind extends EditorEvent['kind']> = Extract<EditorEvent, { readonly kind: Kind }>;

/** What the page shows of a failed request; a cancelled one says nothing. */
export function failureOf(thrown: unknown): WireFailure | undefined {
  if (thrown instanceof RequestFailed) return thrown.failure;
  if (thrown instanceof DOMException && thrown.name === 'AbortError') return undefined;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'page/unexpected', message, remedy: 'Load the page again.' };
}

interface Waiting {
  readonly method: MethodName;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export interface PageLinkOptions {
  /** Address of the WebSocket. */
  readonly url: () => string;
  /** The name of this page for as long as it is loaded. */
  readonly page: string;
  /** Whether the back end still accepts this page; asked after a connection that could not be opened. */
  readonly isAccepted: () => Promise<'accepted' | 'refused' | 'unreachable'>;
}

export class PageLink {
  readonly #options: PageLinkOptions;
  readonly #state = signal<LinkState>({ kind: 'connecting' });
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Set<(event: EditorEvent) => void>>();
  readonly #snapshotListeners = new Set<(snapshot: Snapshot) => void>();
  readonly #onlineListeners = new Set<() => void>();
  readonly #backoff = new Backoff();
  #socket: WebSocket | undefined;
  #nextId = 0;
  #lastSeq: number | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** How often it was tried to connect again. */
  #attempts = 0;

  constructor(options: PageLinkOptions) {
    this.#options = options;
  }

  get state(): ReadonlySignal<LinkState> {
    return this.#state;
  }

  get page(): string {
    return this.#options.page;
  }

  on<Kind extends EditorEvent['kind']>(kind: Kind, listener: (event: EventOf<Kind>) => void): () => void {
    const isOurs = (event: EditorEvent): event is EventOf<Kind> => event.kind === kind;
    const each = (event: EditorEvent): void => {
      if (isOurs(event)) listener(event);
    };
    const listeners = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, listeners.add(each));
    return () => listeners.delete(each);
  }

  /** Called with the whole state when the page begins, and when it was away for too long: what it knew is void. */
  onSnapshot(listener: (snapshot: Snapshot) => void): void {
    this.#snapshotListeners.add(listener);
  }

  /** Called after each connection. Missed events follow it; a snapshot, if there is one, came before. */
  onOnline(listener: () => void): void {
    this.#onlineListeners.add(listener);
  }

  open(): void {
    clearTimeout(this.#retry);
    this.#socket?.close();
    const socket = new WebSocket(this.#options.url());
    this.#socket = socket;
    socket.onopen = () => {
      this.#send({
        kind: 'hello',
        protocol: protocolVersion,
        page: this.#options.page,
        ...(this.#lastSeq !== undefined && { lastSeq: this.#lastSeq }),
      });
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket && typeof data === 'string') this.#receive(data);
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
    this.#watchSilence();
  }

  async request<Name extends MethodName>(
    method: Name,
    params: GivenParamsOf<Name>,
    signal: AbortSignal,
  ): Promise<ResultOf<Name>> {
    signal.throwIfAborted();
    if (this.#state.peek().kind !== 'online') throw new RequestFailed(lost);
    const id = this.#nextId++;
    const cancel = (): void => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (this.#state.peek().kind === 'online') this.#send({ kind: 'cancel', id });
      waiting?.reject(signal.reason);
    };
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { method, resolve, reject });
    });
    signal.addEventListener('abort', cancel, { once: true });
    try {
      this.#send({ kind: 'request', id, method, params });
      // The schema belongs to the method; the compiler cannot join the two through the table.
      const { result } = methods[method];
      return result.parse(await answer) as ResultOf<Name>;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  #send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #receive(data: string): void {
    const parsed = serverMessage.safeParse(JSON.parse(data));
    if (!parsed.success) {
      // biome-ignore lint/suspicious/noConsole: a message that breaks the protocol is a bug that only the console can show.
      console.error('a message of the back end does not follow the protocol', parsed.error);
      return;
    }
    this.#watchSilence();
    this.#handle(parsed.data);
  }

  #handle(message: ServerMessage): void {
    switch (message.kind) {
      case 'welcome':
        this.#welcome(message);
        return;
      case 'outdated':
        this.#end({ kind: 'outdated' });
        return;
      case 'event':
        this.#deliver(message.seq, message.event);
        return;
      case 'result':
        this.#take(message.id)?.resolve(message.result);
        return;
      case 'failure':
        this.#take(message.id)?.reject(new RequestFailed(message.failure));
        return;
      case 'heartbeat':
        return;
    }
  }

  #welcome({ seq, snapshot }: { readonly seq: number; readonly snapshot?: Snapshot | undefined }): void {
    this.#backoff.reset();
    batch(() => {
      // Listeners may ask at once; what they show appears together.
      this.#state.value = { kind: 'online' };
      if (snapshot !== undefined) {
        this.#lastSeq = seq;
        for (const listener of this.#snapshotListeners) listener(snapshot);
      }
      for (const listener of this.#onlineListeners) listener();
    });
  }

  #deliver(seq: number, event: EditorEvent): void {
    if (this.#lastSeq !== undefined && seq <= this.#lastSeq) return;
    this.#lastSeq = seq;
    for (const listener of this.#listeners.get(event.kind) ?? []) listener(event);
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #watchSilence(): void {
    clearTimeout(this.#silence);
    // A socket of a machine that slept may take minutes to close.
    this.#silence = setTimeout(() => {
      this.#socket?.close();
      this.#lost();
    }, silenceMs);
  }

  #lost(): void {
    clearTimeout(this.#silence);
    this.#socket = undefined;
    for (const { reject } of this.#waiting.values()) reject(new RequestFailed(lost));
    this.#waiting.clear();
    const delayMs = this.#backoff.nextMs();
    this.#state.value = { kind: 'offline', retryAt: Date.now() + delayMs };
    this.#retry = setTimeout(() => void this.#reopen(), delayMs);
  }

  /** The back end does not take this page. */
  refuse(): void {
    this.#end({ kind: 'refused' });
  }

  /** At once, when the user or the browser says that the network is back. */
  tryNow(): void {
    if (this.#state.peek().kind !== 'offline') return;
    clearTimeout(this.#retry);
    void this.#reopen();
  }

  async #reopen(): Promise<void> {
    this.#attempts += 1;
    const attempt = this.#attempts;
    const answer = await this.#options.isAccepted();
    // A later attempt has begun, or an earlier one has connected: a second socket would end the first under its requests.
    if (attempt !== this.#attempts || this.#state.peek().kind !== 'offline') return;
    if (answer === 'refused') this.#end({ kind: 'refused' });
    else if (answer === 'unreachable') this.#lost();
    else this.open();
  }

  #end(state: LinkState): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#state.value = state;
  }
}

const lost: WireFailure = {
  code: 'link/lost',
  message: 'The connection to the editor ended.',
  remedy: 'Wait until the page is connected again, then try once more.',
};
