/**
 * Reads semantic tokens, which travel as one list of numbers relative to each other.
 *
 * Invariant: every whole group of five numbers is one token; an incomplete last group is dropped.
 */
import { isRecord, itemsOf } from '../internal/json.ts';

export interface SemanticToken {
  /** Zero-based, in the columns of the server. */
  readonly line: number;
  readonly character: number;
  readonly length: number;
  readonly type: string;
  readonly modifiers: readonly string[];
}

/** What the numbers of a server's tokens stand for. */
export interface TokenLegend {
  readonly types: readonly string[];
  readonly modifiers: readonly string[];
}

/** How a server offers its tokens, read from its capability or registration. */
export interface TokenOffer {
  readonly legend: TokenLegend;
  readonly isRanged: boolean;
  readonly isFull: boolean;
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

/** A way of asking is offered by `true` or by its options. */
function isOffered(value: unknown): boolean {
  return value === true || isRecord(value);
}
