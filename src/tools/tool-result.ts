/**
 * What a tool answers, before any edge gives it a wire shape.
 *
 * Invariant: the payload is always the first item and parses on its own; hints and metadata never mix with it.
 */
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Session } from '../session/session.ts';
import type { ContentHash } from '../workspace/content-hash.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface ToolResult {
  readonly payload: Payload;
  /** One sentence on what to do next; rendered with its fixed prefix. */
  readonly hint?: string;
  /** What a guard had to say about a call it let pass, and what a commit did beside what was asked. */
  readonly warnings?: readonly string[];
  /** Facts about the answer that are not part of it. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** What an edit did to the files it wrote; recorded, never sent. */
  readonly landed?: LandedEdit;
  /** What the call made of the files and did not write: its caller commits it or drops it. Never sent. */
  readonly change?: OverlayChange;
  /** The files that the answer shows or the change leaves, for the next edit to be compared with. Never sent. */
  readonly seen?: readonly SeenFile[];
  /** The change that the answer is about, for clients that show more of it than text. Never sent as it is. */
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
  readonly session?: Pick<Session, 'id' | 'details'>;
}

export interface OverlayChange {
  readonly workspace: Workspace;
  readonly overlay: Overlay;
  /** The paths it names as changed, as people are shown them. */
  readonly shown: readonly string[];
}

export interface SeenFile {
  readonly absolute: string;
  readonly hash: ContentHash;
}

/** An edit that is on disk. A count that could not be had is absent. */
export interface LandedEdit {
  /** The absolute path of every file it wrote, removed or moved. */
  readonly files: readonly string[];
  readonly before?: DiagnosticCounts;
  readonly after?: DiagnosticCounts;
}

export interface DiagnosticCounts {
  readonly errors: number;
  readonly warnings: number;
  /** The files that were asked about: those that were there, and that a server reads. */
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

/** The result with what guards said about the call. */
export function withWarnings(result: ToolResult, warnings: readonly string[]): ToolResult {
  return warnings.length > 0 ? { ...result, warnings: [...warnings, ...(result.warnings ?? [])] } : result;
}

/** The texts an edge sends, in order: payload, hint, warnings, metadata. */
export function contentOf(result: ToolResult): readonly string[] {
  const { payload, hint, warnings = [], meta } = result;
  const items = [payload.kind === 'text' ? payload.text : JSON.stringify(payload.value)];
  if (hint !== undefined) items.push(`Next step: ${hint}`);
  items.push(...warnings);
  if (meta !== undefined) items.push(JSON.stringify(result.isError ? meta : { _meta: meta }));
  return items;
}
