/** A page of the editor without a browser: the wire as the real page speaks it, and buffers by collab's rules. */
import { once } from 'node:events';
import { ChangeSet, Text } from '@codemirror/state';
import { WebSocket } from 'ws';
import {
  type EditorEvent,
  enterAnswer,
  type GivenParamsOf,
  type MethodName,
  methods,
  protocolVersion,
  type ResultOf,
  type ServerMessage,
  type Snapshot,
  serverMessage,
} from '../../src/editor/protocol.ts';
import { until } from './until.ts';

/** How a browser gets the cookie and the path of the link. */
export async function enter(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly link: string; readonly cookie: string }> {
  const { origin, hash } = new URL(url);
  const answer = await fetch(`${origin}/enter`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin, ...headers },
    body: JSON.stringify({ secret: hash.slice(1) }),
  });
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  const body: unknown = await answer.json();
  return { status: answer.status, link: enterAnswer.safeParse(body).data?.link ?? '', cookie };
}

export class RequestFailed extends Error {
  readonly code: string;

  constructor({ code, message }: { readonly code: string; readonly message: string }) {
    super(message);
    this.code = code;
  }
}

interface Pending {
  readonly method: MethodName;
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: RequestFailed) => void;
}

export class EditorPage implements Disposable {
  readonly name: string;
  readonly events: EditorEvent[] = [];
  readonly seqs: number[] = [];
  snapshot: Snapshot | undefined;
  lastSeq = 0;
  heartbeats = 0;
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, Pending>();
  #id = 0;

  private constructor(name: string, socket: WebSocket) {
    this.name = name;
    this.#socket = socket;
  }

  static async open(
    url: string,
    {
      name = `page-${Math.random()}`,
      lastSeq,
    }: { readonly name?: string | undefined; readonly lastSeq?: number | undefined },
  ): Promise<EditorPage> {
    const { origin } = new URL(url);
    const { link, cookie } = await enter(url);
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${link}`, {
      headers: { Cookie: cookie },
      origin,
    });
    const page = new EditorPage(name, socket);
    socket.on('message', (data) => page.#receive(serverMessage.parse(JSON.parse(String(data)))));
    await once(socket, 'open');
    const welcomed = once(socket, 'message');
    page.send({
      kind: 'hello',
      protocol: protocolVersion,
      page: name,
      ...(lastSeq !== undefined && { lastSeq }),
    });
    await welcomed;
    return page;
  }

  send(message: unknown): void {
    this.#socket.send(JSON.stringify(message));
  }

  request<Name extends MethodName>(method: Name, params: GivenParamsOf<Name>): Promise<ResultOf<Name>> {
    return this.begin(method, params).result;
  }

  /** A request that can be cancelled. */
  begin<Name extends MethodName>(
    method: Name,
    params: GivenParamsOf<Name>,
  ): { readonly result: Promise<ResultOf<Name>>; cancel(): void } {
    this.#id += 1;
    const id = this.#id;
    const result = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { method, resolve, reject });
    });
    this.send({ kind: 'request', id, method, params });
    return { result: result as Promise<ResultOf<Name>>, cancel: () => this.send({ kind: 'cancel', id }) };
  }

  /** The first event of a kind that satisfies a claim, past or to come. */
  event<Kind extends EditorEvent['kind']>(
    kind: Kind,
    claim: (event: Extract<EditorEvent, { readonly kind: Kind }>) => boolean = () => true,
  ): Promise<Extract<EditorEvent, { readonly kind: Kind }>> {
    return until(() => {
      const found = this.events.find(
        (event): event is Extract<EditorEvent, { readonly kind: Kind }> =>
          event.kind === kind && claim(event as Extract<EditorEvent, { readonly kind: Kind }>),
      );
      if (!found) throw new Error(`no event ${kind} yet`);
      return found;
    });
  }

  async open(path: string): Promise<PageBuffer> {
    const answer = await this.request('buffer.open', { path });
    if (answer.kind !== 'text') throw new Error(`${path} is ${answer.kind}`);
    return new PageBuffer(this, answer.state.path, Text.of(answer.text.split('\n')), answer.state.version);
  }

  get isConnected(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  closed(): Promise<readonly unknown[]> {
    return once(this.#socket, 'close');
  }

  [Symbol.dispose](): void {
    this.#socket.terminate();
  }

  #receive(message: ServerMessage): void {
    switch (message.kind) {
      case 'welcome':
        this.snapshot = message.snapshot;
        if (message.snapshot) this.lastSeq = message.seq;
        return;
      case 'event':
        this.events.push(message.event);
        this.seqs.push(message.seq);
        this.lastSeq = message.seq;
        return;
      case 'heartbeat':
        this.heartbeats += 1;
        return;
      case 'result': {
        const pending = this.#pending.get(message.id);
        this.#pending.delete(message.id);
        if (pending) pending.resolve(methods[pending.method].result.parse(message.result));
        return;
      }
      case 'failure':
        this.#pending.get(message.id)?.reject(new RequestFailed(message.failure));
        this.#pending.delete(message.id);
        return;
      case 'outdated':
        return;
    }
  }
}

/** A buffer of a page: it pushes on the version it has, and pulls what it missed. */
export class PageBuffer {
  readonly path: string;
  readonly #page: EditorPage;
  #text: Text;
  #version: number;

  constructor(page: EditorPage, path: string, text: Text, version: number) {
    this.#page = page;
    this.path = path;
    this.#text = text;
    this.#version = version;
  }

  get text(): string {
    return this.#text.toString();
  }

  get version(): number {
    return this.#version;
  }

  /** Replaces the first occurrence of a text. */
  async replace(find: string, insert: string): Promise<void> {
    for (;;) {
      const from = this.text.indexOf(find);
      if (from < 0) throw new Error(`${this.path} does not hold ${find}`);
      const changes = ChangeSet.of(
        { from, to: from + find.length, insert: Text.of(insert.split('\n')) },
        this.#text.length,
      );
      const outcome = await this.#page.request('buffer.push', {
        path: this.path,
        version: this.#version,
        updates: [{ client: this.#page.name, changes: changes.toJSON() }],
      });
      if (outcome.kind === 'accepted') {
        this.#text = changes.apply(this.#text);
        this.#version += 1;
        return;
      }
      await this.pull();
    }
  }

  /** Zero-based position of the first occurrence of a text, moved by some characters. */
  place(find: string, by = 0): { readonly line: number; readonly character: number } {
    const at = this.text.indexOf(find);
    if (at < 0) throw new Error(`${this.path} does not hold ${find}`);
    const line = this.#text.lineAt(at + by);
    return { line: line.number - 1, character: at + by - line.from };
  }

  async pull(): Promise<void> {
    const { version, updates, text } = await this.#page.request('buffer.pull', {
      path: this.path,
      version: this.#version,
    });
    if (text !== undefined) this.#text = Text.of(text.split('\n'));
    for (const { changes } of updates) this.#text = ChangeSet.fromJSON(changes).apply(this.#text);
    this.#version = version;
  }
}
