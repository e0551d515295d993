/**
 * The items of call and type hierarchies.
 *
 * Invariants: an item keeps the form in which it came, since the next request must contain it. A server may support
 * one direction only, which no capability tells; for the other one the result is undefined, never an empty list.
 */
import type { CallHierarchyItem } from 'vscode-languageserver-protocol';
import { isRecord, itemsOf } from '../../base/record.ts';
import type { Range } from '../../text/position.ts';
import { rangeDecoder } from '../document.ts';
import { readRange } from '../internal/wire-range.ts';
import type { LanguageServer } from '../language-server.ts';
import { ResponseFailed } from '../server-failure.ts';
import { type RequestMethod, request } from './internal/request.ts';

/** A function or a type, with the server's URI of its document. */
export interface DocumentHierarchyItem {
  readonly name: string;
  readonly kind: number;
  readonly tags?: readonly unknown[];
  readonly detail?: string;
  readonly uri: string;
  readonly range: Range;
  /** The range of its name. */
  readonly selectionRange: Range;
  readonly data?: unknown;
  /** The item as its server sent it. */
  readonly raw: unknown;
}

/** The requests for the relatives of an item. */
type RelativesMethod = Extract<RequestMethod, `callHierarchy/${string}` | `typeHierarchy/${string}`>;

/** The response of a server that does not support the direction. */
export const unknownDirection: unique symbol = Symbol('unknown direction');

/** Requests the relatives of an item in one direction. */
export async function requestRelatives(
  server: LanguageServer,
  method: RelativesMethod,
  item: DocumentHierarchyItem,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    // The server sent this value itself; it is sent back unparsed.
    return await request(server, method, { item: item.raw as CallHierarchyItem }, signal);
  } catch (thrown) {
    if (thrown instanceof ResponseFailed && thrown.isUnknownMethod) return unknownDirection;
    throw thrown;
  }
}

/** The items of a response in UTF-16 columns. */
export function ownItems(server: LanguageServer, answer: unknown): readonly DocumentHierarchyItem[] {
  return readHierarchyItems(answer).map((item) => ownItem(server, item));
}

export function ownItem(server: LanguageServer, item: DocumentHierarchyItem): DocumentHierarchyItem {
  const decode = rangeDecoder(server, item.uri);
  return { ...item, range: decode(item.range), selectionRange: decode(item.selectionRange) };
}

/** The items of a response in the columns of the server. */
export function readHierarchyItems(answer: unknown): readonly DocumentHierarchyItem[] {
  return itemsOf(answer).flatMap((item) => readItem(item) ?? []);
}

export function readItem(raw: unknown): DocumentHierarchyItem | undefined {
  if (!isRecord(raw) || typeof raw.name !== 'string' || typeof raw.uri !== 'string') return undefined;
  const { name, uri, kind, tags, detail, data } = raw;
  const range = readRange(raw.range) ?? readRange(raw.selectionRange);
  if (!range) return undefined;
  return {
    name,
    kind: typeof kind === 'number' ? kind : 0,
    ...(Array.isArray(tags) && { tags }),
    ...(typeof detail === 'string' && { detail }),
    uri,
    range,
    selectionRange: readRange(raw.selectionRange) ?? range,
    ...(data !== undefined && { data }),
    raw,
  };
}
