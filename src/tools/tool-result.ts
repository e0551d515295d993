/**
 * The result of a tool, before a front end maps it to its wire.
 *
 * Invariant: the payload is always the first item and parses on its own; hints and metadata are separate items.
 */
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Session } from '../session/session.ts';
import type { ContentHash } from '../workspace/content-hash.ts';
import type { Workspace } from '../workspace/workspace.ts';

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
