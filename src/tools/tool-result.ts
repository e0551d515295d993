/**
 * What a tool answers, before any edge gives it a wire shape.
 *
 * Invariant: the payload is always the first item and parses on its own; hints and metadata never mix with it.
 */
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
  readonly isError: boolean;
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

type Extras = Pick<ToolResult, 'hint' | 'warnings' | 'meta' | 'landed'>;

export function jsonResult(value: unknown, extras: Extras = {}): ToolResult {
  return { payload: { kind: 'json', value }, isError: false, ...extras };
}

export function textResult(text: string, extras: Extras = {}): ToolResult {
  return { payload: { kind: 'text', text }, isError: false, ...extras };
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
