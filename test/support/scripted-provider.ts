/**
 * A model provider on loopback that answers with what a test scripted, in the real wire format of every dialect; the path
 * of a request selects the dialect.
 *
 * Invariant: no answer depends on a clock; a late answer is sent when the test says so.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/model/json-value.ts';
import { geminiWire, responsesWire } from './scripted-provider-agent-wire.ts';
import { PromptCache, type PromptCount } from './scripted-provider-cache.ts';
import {
  anthropicWire,
  chatWire,
  ollamaWire,
  type ScriptedCall,
  type ScriptedError,
  type ScriptedStop,
  tokensOf,
  type Wire,
} from './scripted-provider-wire.ts';

export type ScriptedStep =
  /** Streamed token by token. A leaked tool call is a text like any other. */
  | { readonly text: string }
  | { readonly thinking: string; readonly signature?: string }
  | ScriptedCall
  /** Nothing more is sent until the test resolves it, or the client goes away. */
  | { readonly until: Promise<unknown> }
  /** An error sent inside the stream, which then ends. */
  | { readonly error: ScriptedError }
  /** Bytes as they are. */
  | { readonly raw: string }
  /** The connection breaks. */
  | { readonly cut: true }
  | { readonly stop: ScriptedStop };

export type ScriptedAnswer =
  | readonly ScriptedStep[]
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: JsonValue;
    }
  /** The connection breaks before a word is said. */
  | 'hang-up';

export interface RecordedRequest extends PromptCount {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly json: JsonObject;
  /** The port it came from: the same for requests over one connection. */
  readonly port: number | undefined;
  /** Settles when the answer is over: `complete` if it was sent whole, `left` if the client went away before. */
  readonly over: Promise<'complete' | 'left'>;
}

export type Script = (request: RecordedRequest) => ScriptedAnswer;

export class ScriptedProvider implements AsyncDisposable {
  /** Every request for an answer, in the order they came. */
  readonly requests: RecordedRequest[] = [];
  /** What the listings show. */
  models: readonly string[] = ['scripted'];
  readonly #server: Server;
  readonly #queue: ScriptedAnswer[] = [];
  readonly #caches = new Map<string, PromptCache>();
  #script: Script | undefined;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response).catch((thrown: unknown) => {
        response.destroy(thrown instanceof Error ? thrown : new Error(String(thrown)));
      });
    });
  }

  static async open(): Promise<ScriptedProvider> {
    const provider = new ScriptedProvider();
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  /** Where it listens, without a path. */
  get url(): string {
    return `http://127.0.0.1:${this.#address.port}`;
  }

  /** Answers for the next requests, one each; when they are used up, what `script` says. */
  answer(...answers: readonly ScriptedAnswer[]): void {
    this.#queue.push(...answers);
  }

  /** Decides on an answer by the request. */
  script(script: Script): void {
    this.#script = script;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  get #address(): AddressInfo {
    const address = this.#server.address();
    if (address === null || typeof address === 'string')
      throw new Error('the scripted provider is not listening');
    return address;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.url).pathname;
    const body = await textOf(request);
    const wire = wireOf(path);
    if (wire) return this.#play({ path, body, request, response, wire });
    const listing = this.#listing(path, body);
    response.writeHead(listing === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(listing ?? { error: { message: 'no such route' } }));
  }

  async #play({ path, body, request, response, wire }: Exchange): Promise<void> {
    const json = parseJson(body);
    const recorded: RecordedRequest = {
      path,
      headers: request.headers,
      body,
      json: isJsonObject(json) ? json : {},
      port: request.socket.remotePort,
      over: new Promise((resolve) =>
        response.on('close', () => resolve(response.writableFinished ? 'complete' : 'left')),
      ),
      ...this.#count(path, body),
    };
    this.requests.push(recorded);
    const answer = this.#queue.shift() ?? this.#script?.(recorded) ?? [{ text: 'nothing was scripted' }];
    if (answer === 'hang-up') return void response.destroy();
    if (!('status' in answer)) return perform(answer, { wire, response, recorded });
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  }

  #count(path: string, body: string): PromptCount {
    const cache = this.#caches.get(path) ?? new PromptCache();
    this.#caches.set(path, cache);
    return path === '/v1/messages' ? cache.countMarks(body) : cache.countBlocks(body);
  }

  #listing(path: string, body: string): JsonValue | undefined {
    const shown = parseJson(body);
    const asked = isJsonObject(shown) ? shown.model : undefined;
    const listings: Readonly<Record<string, JsonValue>> = {
      '/v1/models': { object: 'list', data: this.models.map((id) => ({ id, object: 'model' })) },
      '/api/tags': { models: this.models.map((name) => ({ name })) },
      '/api/ps': { models: [] },
    };
    if (path !== '/api/show') return listings[path];
    return this.models.some((name) => name === asked)
      ? { capabilities: ['completion', 'tools'], model_info: { 'scripted.context_length': 131_072 } }
      : undefined;
  }
}

interface Exchange {
  readonly path: string;
  readonly body: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly wire: Wire;
}

const wires: readonly (readonly [RegExp, () => Wire])[] = [
  [/^\/v1\/messages$/, anthropicWire],
  [/^\/v1\/chat\/completions$/, chatWire],
  [/^\/api\/chat$/, ollamaWire],
  [/^\/v1\/responses$/, responsesWire],
  [/^\/v1beta\/models\/[^/]+:streamGenerateContent$/, () => geminiWire('stream')],
  [/^\/v1beta\/models\/[^/]+:generateContent$/, () => geminiWire('whole')],
];

function wireOf(path: string): Wire | undefined {
  return wires.find(([form]) => form.test(path))?.[1]();
}

async function perform(
  steps: readonly ScriptedStep[],
  { wire, response, recorded }: { wire: Wire; response: ServerResponse; recorded: RecordedRequest },
): Promise<void> {
  const send = async (chunks: readonly string[]): Promise<void> => {
    for (const chunk of chunks) await written(response, chunk);
  };
  response.writeHead(200, { 'content-type': wire.contentType });
  response.flushHeaders();
  let stop: ScriptedStop = 'end';
  await send(wire.begin(recorded));
  for (const step of steps) {
    if ('cut' in step) return void response.destroy();
    if ('error' in step) {
      await send(wire.error(step.error));
      return void response.end();
    }
    if ('until' in step) await Promise.race([step.until, recorded.over]);
    else if ('stop' in step) stop = step.stop;
    else await send(chunksOf(wire, step));
  }
  await send(wire.finish(stop, recorded));
  response.end();
}

type SpokenStep = Exclude<
  ScriptedStep,
  { cut: true } | { error: ScriptedError } | { until: unknown } | { stop: unknown }
>;

function chunksOf(wire: Wire, step: SpokenStep): readonly string[] {
  if ('raw' in step) return [step.raw];
  if ('text' in step) return tokensOf(step.text).flatMap((token) => wire.text(token));
  if ('call' in step) return wire.call(step);
  const thought = tokensOf(step.thinking).flatMap((token) => wire.thinking(token));
  return [...thought, ...wire.thinkingEnd(step.signature ?? 'scripted-signature')];
}

/** Each chunk is flushed on its own; a failure to send to a client that has disconnected is ignored. */
function written(response: ServerResponse, chunk: string): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.write(chunk, () => resolve());
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
