/**
 * Converts columns between UTF-16 and the encoding of a server.
 *
 * We offer UTF-16 only. For a server that uses another encoding anyway, columns are converted by the text of the
 * document: the open one, or the file on disk.
 *
 * Invariant: with a server that uses UTF-16, every position passes unchanged.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  decodeRange,
  encodeRange,
  LineIndex,
  type Position,
  type PositionEncoding,
  type Range,
} from '../text/position.ts';

/** The part of a server that columns depend on. */
export interface ColumnSource {
  readonly documents: {
    readonly encoding: PositionEncoding;
    index(uri: string): LineIndex | undefined;
  };
}

/** Converts the server's ranges of a document into ours; the text is read once for all of them. */
export function rangeDecoder({ documents }: ColumnSource, uri: string): (range: Range) => Range {
  const { encoding } = documents;
  if (encoding === 'utf-16') return (range) => range;
  const index = documents.index(uri) ?? indexOnDisk(uri);
  return index ? (range) => decodeRange(index, range, encoding) : (range) => range;
}

/** A position of ours as the server counts it. */
export function encodePosition(source: ColumnSource, uri: string, position: Position): Position {
  return encodeColumns(source, uri, { start: position, end: position }).start;
}

/** A range of ours as the server counts it. */
export function encodeColumns({ documents }: ColumnSource, uri: string, range: Range): Range {
  const { encoding } = documents;
  if (encoding === 'utf-16') return range;
  const index = documents.index(uri) ?? indexOnDisk(uri);
  return index ? encodeRange(index, range, encoding) : range;
}

function indexOnDisk(uri: string): LineIndex | undefined {
  try {
    return new LineIndex(readFileSync(fileURLToPath(uri), 'utf8'));
  } catch {
    // Not a readable file: the columns stay as they are, which is right for ASCII.
    return undefined;
  }
}
