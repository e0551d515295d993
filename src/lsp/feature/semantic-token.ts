/**
 * The semantic tokens of a range. They are sent as one list of numbers relative to each other.
 *
 * Invariants: only tokens of the range are returned, also if the server sends those of the whole document. Every
 * group of five numbers is one token; an incomplete last group is dropped.
 */

import { isRecord, itemsOf } from '../../base/record.ts';
import { comparePositions, type Range } from '../../text/position.ts';
import { encodeColumns, rangeDecoder } from '../document.ts';
import type { DocumentRange } from '../document-position.ts';
import type { LanguageServer } from '../language-server.ts';
import { request } from './internal/request.ts';

export interface SemanticToken {
  /** Zero-based. */
  readonly line: number;
  readonly character: number;
  readonly length: number;
  readonly type: string;
  readonly modifiers: readonly string[];
}

/** The names of the types and modifiers in a server's tokens. */
interface TokenLegend {
  readonly types: readonly string[];
  readonly modifiers: readonly string[];
}

/** Which token requests a server supports, from its capability or registration. */
interface TokenOffer {
  readonly legend: TokenLegend;
  readonly isRanged: boolean;
  readonly isFull: boolean;
}

/** Empty if the server offers no tokens. */
export async function semanticTokens(
  server: LanguageServer,
  { uri, range }: DocumentRange,
  signal: AbortSignal,
): Promise<readonly SemanticToken[]> {
  const offer = offerOf(server);
  if (!offer || !(offer.isRanged || offer.isFull)) return [];
  const document = { textDocument: { uri } };
  const ranged = { ...document, range: encodeColumns(server, uri, range) };
  const answer = offer.isRanged
    ? await request(server, 'textDocument/semanticTokens/range', ranged, signal)
    : await request(server, 'textDocument/semanticTokens/full', document, signal);
  const decode = rangeDecoder(server, uri);
  return readSemanticTokens(answer, offer.legend)
    .map((token) => inOurColumns(token, decode))
    .filter((token) => overlaps(token, range));
}

function offerOf({ capabilities }: LanguageServer): TokenOffer | undefined {
  const registered = capabilities.registrations('textDocument/semanticTokens').at(-1)?.options;
  return readTokenOffer(registered) ?? readTokenOffer(capabilities.raw.semanticTokensProvider);
}

function inOurColumns(token: SemanticToken, decode: (range: Range) => Range): SemanticToken {
  const { start, end } = decode(extentOf(token));
  return { ...token, character: start.character, length: end.character - start.character };
}

function overlaps(token: SemanticToken, range: Range): boolean {
  const { start, end } = extentOf(token);
  return comparePositions(start, range.end) < 0 && comparePositions(end, range.start) > 0;
}

function extentOf({ line, character, length }: SemanticToken): Range {
  return { start: { line, character }, end: { line, character: character + length } };
}

export function readTokenOffer(options: unknown): TokenOffer | undefined {
  if (!isRecord(options) || !isRecord(options.legend)) return undefined;
  const { tokenTypes, tokenModifiers } = options.legend;
  return {
    legend: { types: itemsOf(tokenTypes).map(String), modifiers: itemsOf(tokenModifiers).map(String) },
    isRanged: isOffered(options.range),
    isFull: isOffered(options.full),
  };
}

export function readSemanticTokens(answer: unknown, legend: TokenLegend): readonly SemanticToken[] {
  const numbers = itemsOf(isRecord(answer) ? answer.data : undefined).map(Number);
  const tokens: SemanticToken[] = [];
  let line = 0;
  let character = 0;
  for (let at = 0; at + 5 <= numbers.length; at += 5) {
    const [lines = 0, columns = 0, length = 0, type = 0, bits = 0] = numbers.slice(at, at + 5);
    line += lines;
    character = lines === 0 ? character + columns : columns;
    const name = legend.types[type] ?? `type${type}`;
    tokens.push({ line, character, length, type: name, modifiers: modifiersIn(bits, legend) });
  }
  return tokens;
}

function modifiersIn(bits: number, legend: TokenLegend): readonly string[] {
  return legend.modifiers.filter((_, bit) => Math.floor(bits / 2 ** bit) % 2 === 1);
}

/** A request is supported if the value is `true` or an options object. */
function isOffered(value: unknown): boolean {
  return value === true || isRecord(value);
}
