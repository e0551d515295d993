/**
 * A model over HTTP: sends a request, reads its answer, and retries if nothing was delivered.
 *
 * Invariants: content is delivered once; a truncated answer is a failure, never a short answer; when the signal
 * aborts or the reader leaves, the connection is closed.
 */
import { errnoOf } from '../base/errno.ts';
import { messageOf } from '../base/failure.ts';
import type { Dialect } from './dialect.ts';
import type { Framing } from './framing.ts';
import { parseJson } from './json-value.ts';
import type { ModelClient } from './model-client.ts';
import { isContentEvent, type ModelEvent } from './model-event.ts';
import { MalformedStream, ModelFailure, ModelSilent, StreamCut, Unreachable } from './model-failure.ts';
import type { ModelRequest } from './model-request.ts';
import { failureOf, type KeyInUse, withoutSecret } from './provider-answer.ts';
import { RequestLife } from './request-life.ts';
import { ResponseBody } from './response-body.ts';
import { type RetryPolicy, retryAfterMs } from './retry-policy.ts';
import { excerpt, ProviderError, type StreamReader, UnreadablePiece } from './stream-reader.ts';

export interface HttpModelOptions {
  readonly name: string;
  /** The provider's displayed name. */
  readonly title: string;
  readonly dialect: Dialect;
  readonly toolForcing: 'supported' | 'unsupported';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: KeyInUse;
  readonly framing: () => Framing;
  readonly reader: () => StreamReader;
  readonly retries: RetryPolicy;
}

export class HttpModelClient implements ModelClient {
  readonly name: string;
  readonly dialect: Dialect;
  readonly toolForcing: 'supported' | 'unsupported';
  readonly #options: HttpModelOptions;

  constructor(options: HttpModelOptions) {
    this.name = options.name;
    this.dialect = options.dialect;
    this.toolForcing = options.toolForcing;
    this.#options = options;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { retries } = this.#options;
    const body = this.dialect.body(request);
    for (let attempt = 1; ; attempt += 1) {
      let hasDelivered = false;
      let cause: ModelFailure;
      try {
        for await (const event of this.#answer({ body, model: request.model }, signal)) {
          hasDelivered ||= isContentEvent(event);
          yield event;
        }
        return;
      } catch (thrown) {
        signal.throwIfAborted();
        if (!(thrown instanceof ModelFailure)) throw thrown;
        cause = thrown;
      }
      const delayMs = hasDelivered ? undefined : retries.delayMs(attempt, cause);
      if (delayMs === undefined || attempt >= retries.attempts) throw cause;
      yield { kind: 'retry', attempt, delayMs, cause };
      await retries.wait(delayMs, signal);
    }
  }

  async *#answer(sent: SentRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    using life = new RequestLife(signal);
    const response = await this.#post(sent.body, life.signal);
    if (!response.ok) throw await this.#refused(response, sent);
    if (isDocument(response)) throw await this.#unstreamed(response, sent);
    let hasStopped = false;
    try {
      for await (const event of eventsOf(this.#options, response)) {
        hasStopped ||= event.kind === 'stop';
        yield event;
      }
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof ProviderError) throw this.#failure(thrown.body, sent.model, {});
      if (thrown instanceof UnreadablePiece) throw this.#malformed(`sent ${thrown.message}`, thrown.piece);
      throw thrown;
    }
    if (!hasStopped) throw new StreamCut(`${this.#options.title} ended its answer before it was complete`);
  }

  async #post(body: string, signal: AbortSignal): Promise<Response> {
    const { url, headers } = this.#options;
    try {
      // Redirects are not followed: they would send the key to another server.
      return await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        signal,
        redirect: 'manual',
      });
    } catch (cause) {
      signal.throwIfAborted();
      const server = `${this.#options.title} at ${placeOf(url)}`;
      if (hasFallenSilent(cause)) throw new ModelSilent(`${server} did not begin to answer`, { cause });
      throw new Unreachable(`${server} cannot be reached: ${reasonOf(cause)}`, { cause });
    }
  }

  async #refused(response: Response, { model }: SentRequest): Promise<ModelFailure> {
    const { status, headers } = response;
    const location = headers.get('location');
    const body = location && status < 400 ? `moved to ${location}` : await bodyOf(response);
    const after = retryAfterMs(headers);
    return this.#failure(body, model, { status, ...(after !== undefined && { retryAfterMs: after }) });
  }

  /** A complete document instead of a stream is an error message, or from another kind of server. */
  async #unstreamed(response: Response, { model }: SentRequest): Promise<ModelFailure> {
    const body = await bodyOf(response);
    if (/^\s*\{\s*"error"/.test(body)) return this.#failure(body, model, {});
    return this.#malformed(`does not answer as ${this.#options.title} does`, body);
  }

  #malformed(what: string, sent: string): MalformedStream {
    const { url, key } = this.#options;
    return new MalformedStream(`${placeOf(url)} ${what}: ${excerpt(withoutSecret(sent, key.secret))}`);
  }

  #failure(
    body: string,
    model: string,
    { status, retryAfterMs: after }: { readonly status?: number; readonly retryAfterMs?: number },
  ): ModelFailure {
    const { title, key } = this.#options;
    return failureOf({ title, model, status, body, retryAfterMs: after, key });
  }
}

interface SentRequest {
  readonly body: string;
  readonly model: string;
}

async function* eventsOf(options: HttpModelOptions, response: Response): AsyncGenerator<ModelEvent> {
  const framing = options.framing();
  const reader = options.reader();
  await using body = new ResponseBody(response);
  for (;;) {
    const bytes = await nextBytes(options, body);
    if (bytes === undefined) break;
    for (const piece of framing.feed(bytes)) {
      yield* reader.read(piece);
      if (reader.isFinished) return await body.finish();
    }
  }
  const rest = framing.rest();
  // A last piece without terminator is used only if it parses.
  if (parseJson(rest) !== undefined) yield* reader.read(rest);
  yield* reader.end();
}

async function nextBytes({ title }: HttpModelOptions, body: ResponseBody): Promise<Uint8Array | undefined> {
  try {
    return await body.next();
  } catch (cause) {
    throw new StreamCut(`the connection to ${title} broke off: ${reasonOf(cause)}`, { cause });
  }
}

function isDocument({ headers }: Response): boolean {
  return /^(text\/html|application\/json)\b/.test(headers.get('content-type') ?? '');
}

const longestBody = 65_536;

async function bodyOf(response: Response): Promise<string> {
  try {
    return (await response.text()).slice(0, longestBody);
  } catch (cause) {
    return messageOf(cause);
  }
}

/** `fetch` puts the reason into the cause of its error. */
export function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
  const [first] = cause instanceof AggregateError ? cause.errors : [cause];
  return messageOf(first) || String(first);
}

function hasFallenSilent(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return errnoOf(cause) === 'UND_ERR_HEADERS_TIMEOUT';
}

function placeOf(url: string): string {
  return new URL(url).host;
}
