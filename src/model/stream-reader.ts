/** Parses the pieces of one provider's answer. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { parseJson } from './json-value.ts';
import type { ModelEvent } from './model-event.ts';

export interface StreamReader {
  /** The events of a piece. Throws `ProviderError` if it reports a failure, `UnreadablePiece` if it is invalid. */
  read(piece: string): readonly ModelEvent[];
  /** The remaining events after the last piece; without a `stop` until now, the answer was truncated. */
  end(): readonly ModelEvent[];
  /** True once no further piece matters, so that the reader need not wait for the connection to close. */
  readonly isFinished: boolean;
}

/** A failure that the provider reports during an answer. */
export class ProviderError extends Error {
  readonly body: string;

  constructor(body: string) {
    super(body);
    this.body = body;
  }
}

/** Parses a piece with its schema. */
export function pieceOf<T>(schema: z.ZodType<T>, piece: string): T {
  const value = parseJson(piece);
  const read = value === undefined ? undefined : schema.safeParse(value);
  if (read?.success) return read.data;
  throw new UnreadablePiece(
    value === undefined ? 'something that is not JSON' : 'JSON of another shape',
    piece,
  );
}

/** A piece that is not part of such an answer. */
export class UnreadablePiece extends Error {
  readonly piece: string;

  constructor(what: string, piece: string) {
    super(what);
    this.piece = piece;
  }
}

/** An id for a call whose provider gave none; unique, since results refer to it for the rest of the conversation. */
export function mintCallId(): string {
  return `call_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
}

const excerptLength = 120;

/** The beginning of a text, on one line. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line;
}
