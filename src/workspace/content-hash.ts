import { isUtf8 } from 'node:buffer';
import type { Brand } from '../base/brand.ts';
import { sha256 } from '../storage/hash.ts';
import type { FileContent } from './file-content.ts';

/** Identifies contents with the same bytes (or the same link target); the mode is not included. */
export type ContentHash = Brand<string, 'ContentHash'>;

/** The hash of a missing file. */
export const absentHash: ContentHash = brandHash('absent');

export function hashContent(content: FileContent | undefined): ContentHash {
  if (content === undefined) return absentHash;
  const known = hashes.get(content);
  if (known !== undefined) return known;
  const hash = computeHash(content);
  hashes.set(content, hash);
  return hash;
}

/** Contents are values: a frozen content is compared many times and hashed once. */
const hashes = new WeakMap<FileContent, ContentHash>();

function computeHash(content: FileContent): ContentHash {
  if (content.kind === 'symlink') return brandHash(`link-${sha256(content.target)}`);
  if (content.kind === 'text' && content.bom !== true) return brandHash(sha256(content.text));
  return brandHash(sha256(encodeContent(content)));
}

/** Whether two contents have the same hash, without computing it if possible. */
export function isSameBytes(one: FileContent | undefined, other: FileContent | undefined): boolean {
  if (one?.kind === 'text' && other?.kind === 'text') {
    return one.text === other.text && (one.bom === true) === (other.bom === true);
  }
  return hashContent(one) === hashContent(other);
}

/** Parses a hash written by `hashContent`; undefined if it is not one. */
export function parseContentHash(text: unknown): ContentHash | undefined {
  return typeof text === 'string' && /^(absent|(link-)?[0-9a-f]{64})$/.test(text)
    ? brandHash(text)
    : undefined;
}

/**
 * Decodes bytes: text if they are valid UTF-8 without a NUL byte, binary otherwise.
 *
 * Invariant: `encodeContent(decodeContent(bytes))` gives the same bytes.
 */
export function decodeContent(bytes: Uint8Array): FileContent {
  if (bytes.includes(0) || !isUtf8(bytes)) return { kind: 'binary', bytes };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!hasByteOrderMark(bytes)) return { kind: 'text', text: buffer.toString('utf8') };
  return { kind: 'text', text: buffer.toString('utf8', byteOrderMark.length), bom: true };
}

/** The bytes of a content; for a link, the bytes of its target. */
export function encodeContent(content: FileContent): Uint8Array {
  switch (content.kind) {
    case 'binary':
      return content.bytes;
    case 'symlink':
      return Buffer.from(content.target, 'utf8');
    case 'text': {
      const bytes = Buffer.from(content.text, 'utf8');
      return content.bom === true ? Buffer.concat([byteOrderMark, bytes]) : bytes;
    }
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function brandHash(text: string): ContentHash {
  return text as ContentHash;
}
