/**
 * Questions about the text of one file.
 *
 * Invariant: an answer is handed out only if the text has not changed since it was asked for: before a question everything
 * typed is sent, the question names the version, and an answer for another text is dropped.
 */
import type { EditorState } from '@codemirror/state';
import type { GivenParamsOf, MethodName, ResultOf } from '../../src/editor/protocol.ts';
import type { BufferDocument } from '../buffer/buffer-document.ts';
import { failureOf } from '../link/page-link.ts';
import type { Page } from '../shell/page.ts';

export interface WirePosition {
  readonly line: number;
  readonly character: number;
}

export interface WireRange {
  readonly start: WirePosition;
  readonly end: WirePosition;
}

/** The methods that are about a file at a version. */
export type FileMethod = {
  [Name in MethodName]: Name extends `code.${string}`
    ? GivenParamsOf<Name> extends { readonly path: string; readonly version?: number | undefined }
      ? Name
      : never
    : never;
}[MethodName];

export type WithoutFile<Params> = Omit<Params, 'path' | 'version'>;

/** Undefined if the text changed meanwhile, or if no server can answer. */
export async function askAbout<Name extends FileMethod>(
  page: Page,
  document: BufferDocument,
  method: Name,
  params: WithoutFile<GivenParamsOf<Name>>,
  signal: AbortSignal,
): Promise<ResultOf<Name> | undefined> {
  const asked = document.changeCount;
  try {
    await document.flush(signal);
    if (document.changeCount !== asked) return undefined;
    const named = { ...params, path: document.path, version: document.version.peek() };
    // The parts of the parameters were typed apart; the compiler cannot join them again.
    const answer = await page.link.request(method, named as unknown as GivenParamsOf<Name>, signal);
    return document.changeCount === asked ? answer : undefined;
  } catch (thrown) {
    if (failureOf(thrown)?.code === 'editor/stale-version') return undefined;
    throw thrown;
  }
}

/** For what happens by itself while somebody types: a failure is no message, the feature is just not there. */
export async function askQuietly<Name extends FileMethod>(
  page: Page,
  document: BufferDocument,
  method: Name,
  params: WithoutFile<GivenParamsOf<Name>>,
  signal: AbortSignal,
): Promise<ResultOf<Name> | undefined> {
  try {
    return await askAbout(page, document, method, params, signal);
  } catch {
    return undefined;
  }
}

export function positionAt(state: EditorState, offset: number): WirePosition {
  const line = state.doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

/** The nearest place that the text has. */
export function offsetOf(state: EditorState, { line, character }: WirePosition): number {
  if (line >= state.doc.lines) return state.doc.length;
  const found = state.doc.line(line + 1);
  return Math.min(found.from + character, found.to);
}

export function offsetsOf(
  state: EditorState,
  { start, end }: WireRange,
): { readonly from: number; readonly to: number } {
  const from = offsetOf(state, start);
  return { from, to: Math.max(from, offsetOf(state, end)) };
}
