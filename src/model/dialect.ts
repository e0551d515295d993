/**
 * How one kind of provider wants requests written.
 *
 * Invariant: the same request gives the same bytes. Every message is written on its own and `messages` come last,
 * so that a request with more messages begins with the bytes of the one with fewer.
 */
import type { Message } from './message.ts';
import type { ModelRequest } from './model-request.ts';

export interface Dialect {
  /** Everything before the first message. */
  head(request: ModelRequest): RequestHead;
  /** One message on its own, without marks for caches; empty where there is nothing to send of it. */
  message(message: Message): string;
  /** The whole body as it is sent. Where marks for caches exist they are the only difference to the pieces joined. */
  body(request: ModelRequest): string;
}

export interface RequestHead {
  /** The parts of it by what they hold. */
  readonly segments: Readonly<Record<HeadSegment, string>>;
  /** All of them in the order they are sent, up to where the messages begin. */
  readonly opening: string;
}

export const headSegments = ['model', 'sampling', 'tools', 'system'] as const;

export type HeadSegment = (typeof headSegments)[number];

/** A dialect without marks for caches: the body is its pieces, joined. */
export function plainDialect(head: Dialect['head'], message: Dialect['message']): Dialect {
  const body = (request: ModelRequest): string =>
    `${joinMessages(head(request).opening, request.messages.map(message))}${closing}`;
  return { head, message, body };
}

/** What follows the last message in every dialect. */
export const closing = ']}';

/** An opening and the messages that follow, still without the closing. */
export function joinMessages(opening: string, messages: readonly string[]): string {
  const written = messages.filter((message) => message !== '');
  const separator = opening.endsWith('[') || written.length === 0 ? '' : ',';
  return `${opening}${separator}${written.join(',')}`;
}
