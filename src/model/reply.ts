/**
 * Collects a stream of events into a message.
 *
 * Invariant: a reply is `complete` only if the provider marked its end.
 */
import { unreachable } from '../base/unreachable.ts';
import { isJsonObject, parseJson } from './json-value.ts';
import type { AssistantMessage, AssistantPart, ToolInput } from './message.ts';
import type { ModelClient } from './model-client.ts';
import type { ModelEvent, StopReason } from './model-event.ts';
import { ModelFailure, StreamCut } from './model-failure.ts';
import type { ModelRequest } from './model-request.ts';
import { noUsage, type Usage } from './usage.ts';

export type Reply =
  | {
      readonly kind: 'complete';
      readonly message: AssistantMessage;
      readonly usage: Usage;
      readonly stop: StopReason;
    }
  /** It was interrupted. The message is the received part, without incomplete calls. */
  | {
      readonly kind: 'cut';
      readonly message: AssistantMessage;
      readonly usage: Usage;
      readonly failure: ModelFailure;
    };

export type ModelListener = (event: ModelEvent) => void;

/** Collects a stream; the listener receives every event. A failure before any content is thrown. */
export async function collectReply(
  events: AsyncIterable<ModelEvent>,
  listener?: ModelListener,
): Promise<Reply> {
  const gathering = new Gathering();
  try {
    for await (const event of events) {
      gathering.take(event);
      listener?.(event);
    }
  } catch (thrown) {
    if (!(thrown instanceof ModelFailure) || gathering.isEmpty) throw thrown;
    return { kind: 'cut', message: gathering.message(), usage: gathering.usage, failure: thrown };
  }
  const message = gathering.message();
  const { usage, stop } = gathering;
  if (stop) return { kind: 'complete', message, usage, stop };
  return { kind: 'cut', message, usage, failure: new StreamCut('the answer ended before it was complete') };
}

/**
 * Sends a request and collects the reply. An interrupted reply is requested once more, which is safe because tools
 * run only after a complete reply; the listener then receives a `restart`. A second interruption is returned to the
 * caller.
 */
export async function askModel(
  client: ModelClient,
  { request, listener }: { readonly request: ModelRequest; readonly listener?: ModelListener },
  signal: AbortSignal,
): Promise<Reply> {
  const first = await collectReply(client.stream(request, signal), listener);
  if (first.kind === 'complete' || first.failure.recovery === 'never') return first;
  listener?.({ kind: 'restart', cause: first.failure });
  return collectReply(client.stream(request, signal), listener);
}

type OpenPart =
  | { readonly kind: 'text' | 'thinking'; text: string; signature?: string; isClosed: boolean }
  | { readonly kind: 'redacted-thinking'; readonly data: string }
  | OpenCall;

interface OpenCall {
  readonly kind: 'call';
  readonly id: string;
  readonly name: string;
  json: string;
  isClosed: boolean;
}

class Gathering {
  readonly #parts: OpenPart[] = [];
  readonly #calls = new Map<number, OpenCall>();
  usage: Usage = noUsage;
  stop: StopReason | undefined;

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  take(event: ModelEvent): void {
    switch (event.kind) {
      case 'text-delta':
        this.#extend('text', event.text);
        break;
      case 'thinking-delta':
        this.#extend('thinking', event.text);
        break;
      case 'thinking-end':
        this.#seal(event.signature);
        break;
      case 'thinking-redacted':
        this.#parts.push({ kind: 'redacted-thinking', data: event.data });
        break;
      case 'call-start':
        this.#startCall(event.call, event);
        break;
      case 'call-delta':
      case 'call-end':
        this.#continueCall(event);
        break;
      case 'usage':
        this.usage = event.usage;
        break;
      case 'stop':
        this.stop = event.reason;
        break;
      case 'retry':
      case 'restart':
        break;
      default:
        unreachable(event);
    }
  }

  message(): AssistantMessage {
    return { role: 'assistant', content: this.#parts.flatMap(partOf) };
  }

  #extend(kind: 'text' | 'thinking', text: string): void {
    const last = this.#parts.at(-1);
    if (last?.kind === kind && !last.isClosed) last.text += text;
    else this.#parts.push({ kind, text, isClosed: false });
  }

  #seal(signature: string): void {
    const last = this.#parts.at(-1);
    // Encrypted thinking must be sent back too.
    if (last?.kind !== 'thinking' || last.isClosed) {
      if (signature !== '') this.#parts.push({ kind: 'thinking', text: '', signature, isClosed: true });
      return;
    }
    last.isClosed = true;
    if (signature !== '') last.signature = signature;
  }

  #startCall(place: number, { id, name }: { readonly id: string; readonly name: string }): void {
    const call: OpenCall = { kind: 'call', id, name, json: '', isClosed: false };
    this.#calls.set(place, call);
    this.#parts.push(call);
  }

  #continueCall(event: Extract<ModelEvent, { kind: 'call-delta' | 'call-end' }>): void {
    const call = this.#calls.get(event.call);
    if (!call) return;
    if (event.kind === 'call-delta') call.json += event.json;
    else call.isClosed = true;
  }
}

function partOf(part: OpenPart): readonly AssistantPart[] {
  switch (part.kind) {
    case 'text':
      return [{ kind: 'text', text: part.text }];
    case 'thinking':
      return [
        {
          kind: 'thinking',
          text: part.text,
          ...(part.signature !== undefined && { signature: part.signature }),
        },
      ];
    case 'redacted-thinking':
      return [part];
    case 'call':
      return part.isClosed
        ? [{ kind: 'tool-call', id: part.id, name: part.name, input: inputOf(part.json) }]
        : [];
  }
}

/** Models call a tool without parameters with no arguments at all. */
function inputOf(json: string): ToolInput {
  if (json.trim() === '') return { kind: 'object', value: {} };
  const value = parseJson(json);
  return isJsonObject(value) ? { kind: 'object', value } : { kind: 'malformed', text: json };
}
