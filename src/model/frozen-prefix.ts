/**
 * The request after a turn, on which forks build.
 *
 * Invariant: it never changes, and appended messages are written after the same bytes. A prompt cache with the prefix
 * therefore serves every fork.
 */
import { createHash } from 'node:crypto';
import { type Dialect, headSegments, joinMessages } from './dialect.ts';
import type { Message } from './message.ts';
import type { ModelRequest } from './model-request.ts';

export const segments = [...headSegments, 'messages'] as const;

export type Segment = (typeof segments)[number];

export function frozenPrefix(dialect: Dialect, request: ModelRequest): FrozenPrefix {
  const messages = request.messages.map(frozen);
  return new FrozenPrefix(dialect, frozenRequest(request, messages), noWriting.extended(dialect, messages));
}

export class FrozenPrefix {
  readonly request: ModelRequest;
  /** One hash per segment; that of the messages covers all of them in order. */
  readonly hashes: Readonly<Record<Segment, string>>;
  readonly #dialect: Dialect;
  readonly #opening: string;
  readonly #writing: Writing;

  /** Use `frozenPrefix` to create one. */
  constructor(dialect: Dialect, request: ModelRequest, writing: Writing) {
    this.request = request;
    this.#dialect = dialect;
    this.#writing = writing;
    const { segments: parts, opening } = dialect.head(request);
    this.#opening = opening;
    this.hashes = Object.freeze({
      model: sha256(parts.model),
      sampling: sha256(parts.sampling),
      tools: sha256(parts.tools),
      system: sha256(parts.system),
      messages: writing.hash,
    });
  }

  /** All bytes of the request without closing brackets and cache marks. */
  get bytes(): string {
    return joinMessages(this.#opening, this.#writing.texts);
  }

  /** A new prefix with more messages; this one is unchanged. */
  append(...added: readonly Message[]): FrozenPrefix {
    const more = added.map(frozen);
    const request = frozenRequest(this.request, [...this.request.messages, ...more]);
    return new FrozenPrefix(this.#dialect, request, this.#writing.extended(this.#dialect, more));
  }

  /** The segments in which this request does not begin like `parent`; empty if the cache of `parent` can be used. */
  divergence(parent: FrozenPrefix): readonly Segment[] {
    return segments.filter((segment) =>
      segment === 'messages'
        ? !this.#writing.continues(parent.#writing)
        : this.hashes[segment] !== parent.hashes[segment],
    );
  }
}

/** Written messages, each with the hash of everything up to it. */
class Writing {
  readonly texts: readonly string[];
  readonly #chain: readonly string[];

  constructor(texts: readonly string[], chain: readonly string[]) {
    this.texts = texts;
    this.#chain = chain;
  }

  get hash(): string {
    return this.#chain.at(-1) ?? sha256('');
  }

  extended(dialect: Dialect, messages: readonly Message[]): Writing {
    const texts = [...this.texts];
    const chain = [...this.#chain];
    for (const message of messages) {
      const text = dialect.message(message);
      if (text === '') continue;
      texts.push(text);
      chain.push(sha256(`${chain.at(-1) ?? ''}\n${text}`));
    }
    return new Writing(texts, chain);
  }

  continues(parent: Writing): boolean {
    const shared = parent.#chain.length;
    return shared === 0 || this.#chain[shared - 1] === parent.hash;
  }
}

const noWriting = new Writing([], []);

/** Already frozen messages are reused, so that a long conversation is copied once and not once per turn. */
const frozenBefore = new WeakSet<object>();

function frozen<T extends object>(value: T): T {
  if (frozenBefore.has(value)) return value;
  const copy = structuredClone(value);
  freezeDeeply(copy);
  frozenBefore.add(copy);
  return copy;
}

function freezeDeeply(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) freezeDeeply(member);
  Object.freeze(value);
}

function frozenRequest(request: ModelRequest, messages: readonly Message[]): ModelRequest {
  return Object.freeze({
    ...request,
    tools: frozen(request.tools),
    sampling: frozen(request.sampling),
    messages: Object.freeze([...messages]),
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
