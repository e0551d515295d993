/**
 * The result of a tool, before a front end maps it to its wire, and how it is shortened to a number of tokens: first its
 * lists, then its long texts.
 *
 * Invariants: the payload is always the first item and parses on its own; hints and metadata are separate items. Nothing
 * is omitted silently: every cut is counted by its place in the payload, and the payload still parses. What is omitted is
 * the rest, a payload of the same shape that can be shortened the same way: an item comes in one of the parts, and an item
 * with lists of its own comes again with what is left of them.
 */
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Session } from '../session/session.ts';
import type { ContentHash } from '../workspace/content-hash.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type Cut, cutValue, itemsIn, longestIn, shortText } from './cut-value.ts';

export interface ToolResult {
  readonly payload: Payload;
  /** One sentence about the next step; rendered with a fixed prefix. */
  readonly hint?: string;
  /** Warnings of guards about a call they allowed, and side effects of a commit. */
  readonly warnings?: readonly string[];
  /** Facts about the answer that are not part of the payload. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The effect of a committed edit on its files; recorded, never sent. */
  readonly landed?: LandedEdit;
  /** The change of the call that was not written: its caller commits or discards it. Never sent. */
  readonly change?: OverlayChange;
  /** The files that the answer shows or the change writes, against which the next edit is checked. Never sent. */
  readonly seen?: readonly SeenFile[];
  /** The change that the answer is about, for clients that show more of it than text. Never sent in this form. */
  readonly whatIf?: WhatIf;
  readonly isError: boolean;
}

/** A change that is not on disk, or was committed by the call. */
export type WhatIf =
  | ({ readonly kind: 'change' } & WhatIfChange)
  | { readonly kind: 'ranked'; readonly ways: readonly (WhatIfChange & { readonly rank: number })[] }
  | {
      readonly kind: 'committed';
      readonly workspace: Workspace;
      readonly title?: string | undefined;
      readonly paths: readonly string[];
    };

export interface WhatIfChange {
  readonly workspace: Workspace;
  readonly overlay: Overlay;
  readonly evaluation: Evaluation;
  readonly language: LanguageId;
  /** Absent: the change is kept nowhere. */
  readonly session?: Pick<Session, 'id' | 'history'>;
}

export interface OverlayChange {
  readonly workspace: Workspace;
  readonly overlay: Overlay;
  /** The changed paths in displayed form. */
  readonly shown: readonly string[];
}

export interface SeenFile {
  readonly absolute: string;
  readonly hash: ContentHash;
}

/** A committed edit. An unknown count is absent. */
export interface LandedEdit {
  /** The absolute path of every file it wrote, removed or moved. */
  readonly files: readonly string[];
  readonly before?: DiagnosticCounts;
  readonly after?: DiagnosticCounts;
}

export interface DiagnosticCounts {
  readonly errors: number;
  readonly warnings: number;
  /** The counted files: those that exist and that a server handles. */
  readonly files: readonly string[];
}

type Payload =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string };

type Extras = Pick<ToolResult, 'hint' | 'warnings' | 'meta' | 'landed' | 'change' | 'seen' | 'whatIf'>;

export function jsonResult(value: unknown, extras: Extras = {}): ToolResult {
  return { payload: { kind: 'json', value }, isError: false, ...extras };
}

export function textResult(text: string, extras: Extras = {}): ToolResult {
  return { payload: { kind: 'text', text }, isError: false, ...extras };
}

/** Adds the warnings of guards to a result. */
export function withWarnings(result: ToolResult, warnings: readonly string[]): ToolResult {
  return warnings.length > 0 ? { ...result, warnings: [...warnings, ...(result.warnings ?? [])] } : result;
}

/** The texts a front end sends, in order: payload, hint, warnings, metadata. */
export function contentOf(result: ToolResult): readonly string[] {
  const { payload, hint, warnings = [], meta } = result;
  const items = [payload.kind === 'text' ? payload.text : JSON.stringify(payload.value)];
  if (hint !== undefined) items.push(`Next step: ${hint}`);
  items.push(...warnings);
  if (meta !== undefined) items.push(JSON.stringify(result.isError ? meta : { _meta: meta }));
  return items;
}

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

/** The number of tokens in a text: a quarter of its bytes. */
export function tokensOf(text: string): number {
  return Math.floor(Buffer.byteLength(text) / 4);
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
