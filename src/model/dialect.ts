/**
 * The request format of one kind of provider.
 *
 * Invariant: the same request gives the same bytes. Every message is written independently and `messages` comes last,
 * so that a request with more messages begins with the bytes of the one with fewer.
 */
import type { Message } from './message.ts';
import type { ModelRequest } from './model-request.ts';

export interface Dialect {
  /** Everything before the first message. */
  head(request: ModelRequest): RequestHead;
  /** One message, without cache marks; empty if there is nothing to send. */
  message(message: Message): string;
  /** The complete body as sent. It differs from the joined pieces only in cache marks. */
  body(request: ModelRequest): string;
}

export interface RequestHead {
  /** Its parts by content. */
  readonly segments: Readonly<Record<HeadSegment, string>>;
  /** All parts in the order they are sent, up to the first message. */
  readonly opening: string;
}

export const headSegments = ['model', 'sampling', 'tools', 'system'] as const;

export type HeadSegment = (typeof headSegments)[number];

/** A dialect without cache marks: the body is its joined pieces. */
export function plainDialect(head: Dialect['head'], message: Dialect['message']): Dialect {
  const body = (request: ModelRequest): string =>
    `${joinMessages(head(request).opening, request.messages.map(message))}${closing}`;
  return { head, message, body };
}

/** The text after the last message in every dialect. */
export const closing = ']}';

/** An opening and its messages, without the closing. */
export function joinMessages(opening: string, messages: readonly string[]): string {
  const written = messages.filter((message) => message !== '');
  const separator = opening.endsWith('[') || written.length === 0 ? '' : ',';
  return `${opening}${separator}${written.join(',')}`;
}
