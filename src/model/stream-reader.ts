/** Reads the pieces of an answer as one provider sends them. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { parseJson } from './json-value.ts';
import type { ModelEvent } from './model-event.ts';

export interface StreamReader {
  /** What a piece says. Throws `ProviderError` where it tells of a failure, `UnreadablePiece` where it says nothing. */
  read(piece: string): readonly ModelEvent[];
  /** What is left to say when no more pieces come; without a `stop` by now the answer was cut. */
  end(): readonly ModelEvent[];
  /** True once no further piece matters, so that nobody waits for the connection to close. */
  readonly isFinished: boolean;
}

/** A failure the provider tells of in the middle of an answer it began with a good status. */
export class ProviderError extends Error {
  readonly body: string;

  constructor(body: string) {
    super(body);
    this.body = body;
  }
}

/** Reads a piece by its schema. */
export function pieceOf<T>(schema: z.ZodType<T>, piece: string): T {
  const value = parseJson(piece);
  const read = value === undefined ? undefined : schema.safeParse(value);
  if (read?.success) return read.data;
  throw new UnreadablePiece(
    value === undefined ? 'something that is not JSON' : 'JSON of another shape',
    piece,
  );
}

/** A piece that does not belong in such an answer. */
export class UnreadablePiece extends Error {
  readonly piece: string;

  constructor(what: string, piece: string) {
    super(what);
    this.piece = piece;
  }
}

/** A name for a call whose provider gave it none; unique, as results refer to it for the rest of the conversation. */
export function mintCallId(): string {
  return `call_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
}

const excerptLength = 120;

/** The beginning of a text, on one line. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line;
}
