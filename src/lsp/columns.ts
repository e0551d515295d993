/**
 * Columns on their way to a server and back.
 *
 * UTF-16 is all we offer; a server that counts otherwise all the same is understood by the text of the
 * document: the one it was shown, or the one on disk where it reads the file itself.
 *
 * Invariant: with a server that counts UTF-16, every place passes unchanged.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LineIndex } from '../text/line-index.ts';
import type { Position } from '../text/position.ts';
import { decodeRange, encodeRange, type PositionEncoding } from '../text/position-encoding.ts';
import type { Range } from '../text/range.ts';

/** The part of a server that columns depend on. */
export interface ColumnSource {
  readonly encoding: PositionEncoding;
  readonly documents: { index(uri: string): LineIndex | undefined };
}

/** Turns the ranges a server gave for a document into ours; one reading of the text serves them all. */
export function rangeDecoder({ encoding, documents }: ColumnSource, uri: string): (range: Range) => Range {
  if (encoding === 'utf-16') return (range) => range;
  const index = documents.index(uri) ?? indexOnDisk(uri);
  return index ? (range) => decodeRange(index, range, encoding) : (range) => range;
}

/** A position of ours as the server counts it. */
export function encodePosition(
  { encoding, documents }: ColumnSource,
  uri: string,
  position: Position,
): Position {
  return encodeColumns({ encoding, documents }, uri, { start: position, end: position }).start;
}

/** A range of ours as the server counts it. */
export function encodeColumns({ encoding, documents }: ColumnSource, uri: string, range: Range): Range {
  if (encoding === 'utf-16') return range;
  const index = documents.index(uri) ?? indexOnDisk(uri);
  return index ? encodeRange(index, range, encoding) : range;
}

function indexOnDisk(uri: string): LineIndex | undefined {
  try {
    return new LineIndex(readFileSync(fileURLToPath(uri), 'utf8'));
  } catch {
    // Not a readable file: the columns stay as the server counted them, which is right for ASCII.
    return undefined;
  }
}
