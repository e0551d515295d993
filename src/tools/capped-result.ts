/**
 * Shortens an answer to a number of tokens: first its lists, then its long texts.
 *
 * Invariants: nothing is omitted silently: every cut is counted by its place in the payload, and the payload still parses.
 * What is omitted is the rest, a payload of the same shape that can be shortened the same way: an item comes in one of
 * the parts, and an item with lists of its own comes again with what is left of them.
 */
import { tokensOf } from './answer-budget.ts';
import { type Cut, cutValue, itemsIn, longestIn, shortText } from './cut-value.ts';
import type { ToolResult } from './tool-result.ts';

/** Keeps the rest of an answer; returns the cursor that leads to it. */
export type KeepRest = (rest: ToolResult['payload']) => string;

/** Without `keep`, the answer names the budget that is enough for all of it. */
export function cappedResult(result: ToolResult, maxTokens: number, keep?: KeepRest): ToolResult {
  const { payload, meta } = result;
  // The tool has already shortened its answer.
  if (result.isError || (meta && 'truncated' in meta)) return result;
  const cut = payload.kind === 'text' ? textCut(payload.text, maxTokens) : jsonCut(payload.value, maxTokens);
  if (!cut) return result;
  const { shown, rest, count } = cut;
  const whole = tokensOf(payload.kind === 'text' ? payload.text : JSON.stringify(payload.value)) + 1;
  const continue_with = keep ? { tool: 'continue_answer', cursor: keep(rest) } : { max_tokens: whole };
  const truncated = { max_tokens: maxTokens, ...count, continue_with };
  return { ...result, payload: shown, meta: { ...meta, truncated } };
}

interface PayloadCut {
  readonly shown: ToolResult['payload'];
  readonly rest: ToolResult['payload'];
  readonly count: { readonly left_out: number; readonly lists?: Readonly<Record<string, number>> };
}

function textCut(text: string, maxTokens: number): PayloadCut | undefined {
  if (tokensOf(text) <= maxTokens) return undefined;
  const beginning = beginningOf(text, maxTokens * 4);
  return {
    shown: { kind: 'text', text: `${beginning}…` },
    rest: { kind: 'text', text: text.slice(beginning.length) },
    count: { left_out: tokensOf(text) - tokensOf(beginning) },
  };
}

function jsonCut(value: unknown, maxTokens: number): PayloadCut | undefined {
  if (isWithin(value, maxTokens)) return undefined;
  const { shown, rest, leftOut } = fittingCut(value, maxTokens);
  if (leftOut.size === 0) return undefined;
  const left_out = [...leftOut.values()].reduce((sum, count) => sum + count, 0);
  return {
    shown: { kind: 'json', value: shown },
    rest: { kind: 'json', value: rest },
    count: { left_out, lists: Object.fromEntries(leftOut) },
  };
}

function isWithin(value: unknown, maxTokens: number): boolean {
  return tokensOf(JSON.stringify(value) ?? '') <= maxTokens;
}

/** The largest limit that fits: first for the length of lists, then for the length of texts. */
function fittingCut(value: unknown, maxTokens: number): Cut {
  const fits = (cut: Cut): boolean => isWithin(cut.shown, maxTokens);
  const whole = { items: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };
  const byItems = mostGenerous(longestIn(value), (items) => cutValue(value, { ...whole, items }), fits);
  if (byItems?.hasAdvanced) return byItems;
  const bare = (characters: number): Cut => cutValue(value, { items: 0, characters });
  const byText = mostGenerous(maxTokens * 4, (characters) => bare(Math.max(shortText, characters)), fits);
  if (byText?.hasAdvanced) return byText;
  const inOrder = (total: number): Cut =>
    cutValue(value, { ...whole, total, characters: Math.max(shortText, maxTokens * 4) });
  const byTotal = mostGenerous(itemsIn(value), inOrder, fits);
  return byTotal?.hasAdvanced ? byTotal : smallestStep(inOrder, itemsIn(value));
}

/** However small the budget, a part holds something: otherwise its reader would never reach the end. */
function smallestStep(cutAt: (total: number) => Cut, most: number): Cut {
  for (let total = 1; total < most; total += 1) {
    const cut = cutAt(total);
    if (cut.hasAdvanced) return cut;
  }
  return cutAt(most);
}

/** The cut for the largest number up to `most` that fits; undefined if even zero does not fit. */
function mostGenerous(
  most: number,
  cutAt: (limit: number) => Cut,
  fits: (cut: Cut) => boolean,
): Cut | undefined {
  let best: Cut | undefined;
  for (let low = 0, high = most; low <= high; ) {
    const middle = Math.floor((low + high) / 2);
    const cut = cutAt(middle);
    if (fits(cut)) {
      best = cut;
      low = middle + 1;
    } else high = middle - 1;
  }
  return best;
}

/** However small the budget, a part of a text is this long, so that its reader reaches the end. */
const leastBytes = 40;

/** The beginning of a text, up to a nearby line end if there is one. */
function beginningOf(text: string, bytes: number): string {
  const beginning = Buffer.from(text)
    .subarray(0, Math.max(bytes, leastBytes))
    .toString()
    .replace(/\uFFFD+$/, '');
  const lastLine = beginning.lastIndexOf('\n') + 1;
  return lastLine > beginning.length / 2 ? beginning.slice(0, lastLine) : beginning;
}
