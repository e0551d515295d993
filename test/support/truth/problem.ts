/**
 * What a checker says about a file, in a form that a compiler's output and a server's diagnostics share.
 *
 * Invariant: positions are one-based UTF-16; messages hold no absolute path and no blanks that only lay them out.
 */
export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
}

/** A message as both sides would write it: paths relative to the workspace, one blank between words. */
export function normaliseMessage(message: string, root: string): string {
  return message.replaceAll(`${root}/`, '').replace(/\s+/gu, ' ').trim();
}

/** Orders by path, place, code and message. */
export function compareProblems(a: Problem, b: Problem): number {
  return (
    compareText(a.path, b.path) || a.line - b.line || a.column - b.column || compareText(keyOf(a), keyOf(b))
  );
}

function keyOf({ path, line, column, severity, code, message }: Problem): string {
  return JSON.stringify([path, line, column, severity, code, message]);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
