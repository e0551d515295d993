/**
 * The common result of the scanners of single constructs.
 *
 * Invariant: a scanner is a function of the text and a position; it has no state.
 */
import type { ShellBoundary } from '../boundary.ts';
import type { Script } from './shell-list.ts';

/** The result of a scanner and its end position. */
export interface Scanned<T> {
  readonly value: T;
  readonly end: number;
  /** A here-document's body, to be skipped at the end of its line. */
  readonly body?: { readonly lineEnd: number; readonly end: number };
}

/** Parses a script inside a word. */
export interface NestedScripts {
  /** The script from `at` up to the parenthesis that closes it: of `$(…)`, or of `<(…)`. */
  readonly parenthesised: (at: number, form: 'output' | 'file') => Scanned<Script> | ShellBoundary;
  /** A script that is the whole of `text`; its positions are counted from `at`. */
  readonly whole: (text: string, at: number) => Script | ShellBoundary;
}

/** The text a sticky expression matches at `at`. */
export function sticky(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0];
}
