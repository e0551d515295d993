import { isUtf8 } from 'node:buffer';
import type { Brand } from '../base/brand.ts';
import { sha256 } from '../base/hash.ts';
import type { FileContent } from './file-content.ts';

/** Says whether two contents are the same bytes (or the same link target); the mode is no part of it. */
export type ContentHash = Brand<string, 'ContentHash'>;

/** The hash of "there is no file". */
export const absentHash: ContentHash = brandHash('absent');

export function hashContent(content: FileContent | undefined): ContentHash {
  if (content === undefined) return absentHash;
  if (content.kind === 'symlink') return brandHash(`link-${sha256(content.target)}`);
  if (content.kind === 'text' && content.bom !== true) return brandHash(sha256(content.text));
  return brandHash(sha256(encodeContent(content)));
}

/** Reads a hash back that `hashContent` once wrote; undefined when it cannot be one. */
export function parseContentHash(text: unknown): ContentHash | undefined {
  return typeof text === 'string' && /^(absent|(link-)?[0-9a-f]{64})$/.test(text)
    ? brandHash(text)
    : undefined;
}

/**
 * The content some bytes are: text when they are valid UTF-8 without a NUL byte, binary otherwise.
 *
 * Invariant: `encodeContent(decodeContent(bytes))` gives the same bytes.
 */
export function decodeContent(bytes: Uint8Array): FileContent {
  if (bytes.includes(0) || !isUtf8(bytes)) return { kind: 'binary', bytes };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!hasByteOrderMark(bytes)) return { kind: 'text', text: buffer.toString('utf8') };
  return { kind: 'text', text: buffer.toString('utf8', byteOrderMark.length), bom: true };
}

/** The bytes of a content; of a link, the bytes of its target. */
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
