/**
 * Shortens an answer to a number of tokens: first its lists, then its long texts.
 *
 * Invariant: nothing is omitted silently. Every cut is counted by its place in the payload, and the payload still
 * parses.
 */
import { tokensOf } from './answer-budget.ts';
import type { ToolResult } from './tool-result.ts';

export function cappedResult(result: ToolResult, maxTokens: number): ToolResult {
  const { payload, meta } = result;
  // The tool has already shortened its answer.
  if (result.isError || (meta && 'truncated' in meta)) return result;
  if (payload.kind === 'text') {
    if (tokensOf(payload.text) <= maxTokens) return result;
    const text = cutText(payload.text, maxTokens * 4);
    const left_out = tokensOf(payload.text) - tokensOf(text);
    return {
      ...result,
      payload: { kind: 'text', text },
      meta: { ...meta, truncated: { max_tokens: maxTokens, left_out, ...rest(payload.text) } },
    };
  }
  const cut = fittingCut(payload.value, maxTokens);
  if (cut.leftOut.size === 0) return result;
  const lists = Object.fromEntries(cut.leftOut);
  const left_out = [...cut.leftOut.values()].reduce((sum, count) => sum + count, 0);
  return {
    ...result,
    payload: { kind: 'json', value: cut.value },
    meta: {
      ...meta,
      truncated: { max_tokens: maxTokens, left_out, lists, ...rest(JSON.stringify(payload.value)) },
    },
  };
}

/** The arguments that get the whole answer. */
function rest(text: string): { readonly continue_with: { readonly max_tokens: number } } {
  return { continue_with: { max_tokens: tokensOf(text) + 1 } };
}

interface Cut {
  readonly value: unknown;
  /** The omitted amount by place in the payload: items of a list, characters of a text. */
  readonly leftOut: ReadonlyMap<string, number>;
}

interface Limits {
  readonly items: number;
  readonly characters: number;
}

/** Texts up to this length are names, paths and messages, which are useless in part. */
const shortText = 200;

/** The largest limit that fits: first for the length of lists, then for the length of texts. */
function fittingCut(value: unknown, maxTokens: number): Cut {
  const fits = (cut: Cut): boolean => tokensOf(JSON.stringify(cut.value) ?? '') <= maxTokens;
  const whole = { items: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };
  const uncut = cutValue(value, whole);
  if (fits(uncut)) return uncut;
  const byItems = mostGenerous(longestIn(value), (items) => cutValue(value, { ...whole, items }), fits);
  if (byItems) return byItems;
  const bare = (characters: number): Cut => cutValue(value, { items: 0, characters });
  return (
    mostGenerous(maxTokens * 4, (characters) => bare(Math.max(shortText, characters)), fits) ??
    bare(shortText)
  );
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

function cutValue(whole: unknown, limits: Limits): Cut {
  const leftOut = new Map<string, number>();
  const count = (place: string, missing: number): void => {
    if (missing > 0) leftOut.set(place, (leftOut.get(place) ?? 0) + missing);
  };
  const visit = (value: unknown, place: string): unknown => {
    if (typeof value === 'string') {
      if (value.length <= limits.characters) return value;
      count(place, value.length - limits.characters);
      return `${value.slice(0, limits.characters)}…`;
    }
    if (Array.isArray(value)) {
      count(`${place}[]`, value.length - limits.items);
      return value.slice(0, limits.items).map((item) => visit(item, `${place}[]`));
    }
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [
      name,
      visit(member, place === '' ? name : `${place}.${name}`),
    ]);
    return Object.fromEntries(members);
  };
  return { value: visit(whole, ''), leftOut };
}

function longestIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  const own = Array.isArray(value) ? value.length : 0;
  return members.reduce((longest: number, member) => Math.max(longest, longestIn(member)), own);
}

/** The beginning of a text, up to a nearby line end if there is one. */
function cutText(text: string, bytes: number): string {
  const beginning = Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD$/, '');
  const lastLine = beginning.lastIndexOf('\n');
  return `${lastLine > beginning.length / 2 ? beginning.slice(0, lastLine) : beginning}\n…`;
}
