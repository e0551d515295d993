/** Incoming and outgoing calls of a function. */

import { isRecord, itemsOf } from '../../base/record.ts';
import type { Range } from '../../text/position.ts';
import { rangeDecoder } from '../document.ts';
import type { DocumentPosition } from '../document-position.ts';
import { readRange } from '../internal/wire-range.ts';
import type { LanguageServer } from '../language-server.ts';
import {
  type DocumentHierarchyItem,
  ownItem,
  ownItems,
  readHierarchyItems,
  readItem,
  requestRelatives,
  unknownDirection,
} from './hierarchy-item.ts';
import { requestAt } from './internal/request.ts';

/** The other function of a call, and where in the caller's document the call is made. */
export interface DocumentCall {
  readonly item: DocumentHierarchyItem;
  readonly fromRanges: readonly Range[];
}

/** The names of both directions, for messages about a direction that a server does not support. */
export const callDirections = {
  incoming: 'callHierarchy/incomingCalls',
  outgoing: 'callHierarchy/outgoingCalls',
} as const;

/** The functions at a position; empty if the server has no call hierarchy. */
export async function prepareCallHierarchy(
  server: LanguageServer,
  at: DocumentPosition,
  signal: AbortSignal,
): Promise<readonly DocumentHierarchyItem[]> {
  const question = {
    provider: 'callHierarchyProvider',
    method: 'textDocument/prepareCallHierarchy',
    extras: {},
  } as const;
  return ownItems(server, await requestAt(server, question, at, signal));
}

/** Undefined if the server does not support this direction. */
export async function incomingCallsOf(
  server: LanguageServer,
  item: DocumentHierarchyItem,
  signal: AbortSignal,
): Promise<readonly DocumentCall[] | undefined> {
  const answer = await requestRelatives(server, callDirections.incoming, item, signal);
  if (answer === unknownDirection) return undefined;
  return readCalls(answer, 'from').map((call) => ownCall(server, call, call.item.uri));
}

/** Undefined if the server does not support this direction. */
export async function outgoingCallsOf(
  server: LanguageServer,
  item: DocumentHierarchyItem,
  signal: AbortSignal,
): Promise<readonly DocumentCall[] | undefined> {
  const answer = await requestRelatives(server, callDirections.outgoing, item, signal);
  if (answer === unknownDirection) return undefined;
  const [caller] = readHierarchyItems([item.raw]);
  return readCalls(answer, 'to').map((call) => ownCall(server, call, caller?.uri ?? item.uri));
}

function ownCall(server: LanguageServer, call: DocumentCall, callerUri: string): DocumentCall {
  return {
    item: ownItem(server, call.item),
    fromRanges: call.fromRanges.map(rangeDecoder(server, callerUri)),
  };
}

/** `end` is the member with the other function: `from` for incoming calls, `to` for outgoing ones. */
export function readCalls(answer: unknown, end: 'from' | 'to'): readonly DocumentCall[] {
  return itemsOf(answer).flatMap((call) => {
    if (!isRecord(call)) return [];
    const item = readItem(call[end]);
    if (!item) return [];
    return [{ item, fromRanges: itemsOf(call.fromRanges).flatMap((range) => readRange(range) ?? []) }];
  });
}
