/**
 * The names in one text and the files it imports, small enough to be stored for every file.
 *
 * Names are identified by a hash: two names may share one, so that a text may seem to mention more than it does,
 * never less.
 *
 * Invariant: a name that occurs in the text as a word is among `words`; an alias that it gives to a name of another
 * file is among `renames`, or that name is among `unbound`.
 */
import { z } from 'zod';
import { storedValue } from '../../base/stored-json.ts';
import { scanImports } from '../../graph/reach/import-scan.ts';
import { type ReachFamily, suffixOf } from '../../graph/reach/reach-family.ts';
import { sha256 } from '../../storage/hash.ts';

export interface SourceFacts {
  /** The hash of the file's bytes. */
  readonly hash: string;
  /** Hashes of all words, in ascending order. */
  readonly words: Uint32Array;
  /** Pairs of hashes: a name and its alias. */
  readonly renames: Uint32Array;
  /** Hashes of names that others may import under any name. */
  readonly unbound: Uint32Array;
  /** Whether names in it may be bound in ways not parsed here; then nothing can be concluded from its words. */
  readonly isOpaque: boolean;
  readonly specifiers: readonly string[];
  readonly isGlobal: boolean;
}

export function readSourceFacts(family: ReachFamily, path: string, bytes: Uint8Array): SourceFacts {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const isEcmascript = family === 'ecmascript';
  return {
    hash: sha256(bytes),
    words: wordsIn(text, isEcmascript && text.includes('\\u') ? [anyName] : []),
    renames: renamesIn(text, isEcmascript),
    unbound: isEcmascript ? unboundIn(text) : nothing,
    isOpaque: isEcmascript && isOpaque(path, text),
    ...scanImports(family, path, text),
  };
}

/** Whether the name with this hash may occur in the text. */
export function mayMention({ words }: SourceFacts, name: number): boolean {
  return includes(words, name) || includes(words, anyName);
}

function includes(words: Uint32Array, name: number): boolean {
  let low = 0;
  let high = words.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const word = words[middle] ?? 0;
    if (word === name) return true;
    if (word < name) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

/** FNV-1a over the characters of a name. */
export function numberOf(name: string): number {
  let hash = offset;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), prime);
  return hash >>> 0;
}

export function writeFacts(facts: SourceFacts): string {
  const { hash, words, renames, unbound, isOpaque: opaque, specifiers, isGlobal } = facts;
  return JSON.stringify([
    hash,
    encode(words),
    encode(renames),
    encode(unbound),
    opaque,
    isGlobal,
    ...specifiers,
  ]);
}

/** Undefined if the text was not written by `writeFacts`. */
export function parseFacts(written: string): SourceFacts | undefined {
  const read = storedValue(written, factsSchema);
  if (!read) return undefined;
  const [hash, words, renames, unbound, opaque, isGlobal, ...specifiers] = read;
  return { hash, words, renames, unbound, isOpaque: opaque, isGlobal, specifiers };
}

const encodedSchema = z.string().transform((written, context) => {
  const bytes = Uint8Array.from(Buffer.from(written, 'base64'));
  if (bytes.byteLength % 4 === 0) return new Uint32Array(bytes.buffer);
  context.addIssue('no list of numbers');
  return z.NEVER;
});

const factsSchema = z.tuple(
  [z.string(), encodedSchema, encodedSchema, encodedSchema, z.boolean(), z.boolean()],
  z.string(),
);

const offset = 0x811c9dc5;
const prime = 0x01000193;
/** Added to texts that contain escaped letters, and so may contain any name. */
const anyName = offset >>> 0;
const nothing = new Uint32Array();

/** Character by character: a regular expression takes several times as long, and this is done for every file. */
function wordsIn(text: string, also: readonly number[]): Uint32Array {
  const found = new Set(also);
  let hash = offset;
  let length = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : space;
    if (isWordCode(code)) {
      hash = Math.imul(hash ^ code, prime);
      length += 1;
    } else if (length > 0) {
      found.add(hash >>> 0);
      hash = offset;
      length = 0;
    }
  }
  return Uint32Array.from(found).sort();
}

const space = 32;

function isWordCode(code: number): boolean {
  if (code < 128) {
    return (
      (code > 96 && code < 123) ||
      (code > 64 && code < 91) ||
      (code > 47 && code < 58) ||
      code === 95 ||
      code === 36
    );
  }
  // Half of a surrogate pair is part of a word; no space is encoded so.
  return (
    (code >= 0xd800 && code <= 0xdfff) ||
    /[\p{L}\p{N}\p{M}\p{Pc}\u200c\u200d]/u.test(String.fromCharCode(code))
  );
}

/** `a as b`, and in TypeScript `import b = x.a`; a type assertion is counted as a rename too, which is harmless. */
function renamesIn(text: string, isEcmascript: boolean): Uint32Array {
  const pairs: number[] = [];
  for (const [, from = '', to = ''] of text.matchAll(renamed)) {
    if (/^[\p{L}_$]/u.test(to)) pairs.push(numberOf(from), numberOf(to));
  }
  if (isEcmascript) {
    for (const [, to = '', value = ''] of text.matchAll(importedValue)) {
      for (const from of value.match(word) ?? []) pairs.push(numberOf(from), numberOf(to));
    }
  }
  return Uint32Array.from(pairs);
}

/** Names exported as the default, as the whole module, or under a quoted name. */
function unboundIn(text: string): Uint32Array {
  const names = new Set<number>();
  for (const [, from = '', to = ''] of text.matchAll(renamed)) {
    if (to === 'default' || !/^[\p{L}_$]/u.test(to)) names.add(numberOf(from));
  }
  for (const [, value = ''] of text.matchAll(exportedWhole)) {
    for (const name of value.match(word) ?? []) names.add(numberOf(name));
  }
  return Uint32Array.from(names).sort();
}

/** Names of CommonJS modules are bound by assignments. */
function isOpaque(path: string, text: string): boolean {
  return /^(?:c?js|jsx)$/.test(suffixOf(path)) && /\brequire\b|\bexports\b/.test(text);
}

const gap = String.raw`(?:\s|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|//[^\n]*\n)+`;
const renamed = new RegExp(
  String.raw`([\p{L}_$][\p{L}\p{N}_$]*)${gap}as(?:${gap}|(?=["']))([\p{L}_$][\p{L}\p{N}_$]*|["'])`,
  'gu',
);
const importedValue = /\bimport\s+(?:type\s+)?([\p{L}_$][\p{L}\p{N}_$]*)\s*=([^;\n]*)/gu;
const exportedWhole = /\bexport\s*(?:default\b|=)([^;{(]{0,300})/g;
const word = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

function encode(numbers: Uint32Array): string {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');
}
