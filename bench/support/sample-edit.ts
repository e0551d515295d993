/**
 * An edit that can be made again and again, each time with another text, so that nothing answers it from memory.
 *
 * Invariant: the text it replaces occurs exactly once in its file, and its replacement stays on that line.
 */
import type { Range } from '../../src/text/position.ts';

export interface SampleEdit {
  /** Relative to the root of the workspace. */
  readonly path: string;
  readonly text: string;
  readonly replaces: string;
  readonly replacement: (round: number) => string;
}

export function rangeOf({ path, text, replaces }: SampleEdit): Range {
  const start = text.indexOf(replaces);
  if (start < 0 || text.indexOf(replaces, start + 1) >= 0) {
    throw new Error(`${path} must hold ${JSON.stringify(replaces)} exactly once`);
  }
  const before = text.slice(0, start).split('\n');
  const line = before.length - 1;
  const character = before[line]?.length ?? 0;
  return { start: { line, character }, end: { line, character: character + replaces.length } };
}

export function editedText(edit: SampleEdit, round: number): string {
  return edit.text.replace(edit.replaces, () => edit.replacement(round));
}

/** The place of an edit in the parameters of a tool. */
export function toolArguments(edit: SampleEdit, round: number): Readonly<Record<string, unknown>> {
  const { start, end } = rangeOf(edit);
  return {
    start_line: start.line + 1,
    start_column: start.character + 1,
    end_line: end.line + 1,
    end_column: end.character + 1,
    new_text: edit.replacement(round),
  };
}
