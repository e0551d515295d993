/**
 * Parses the error formats of compilers.
 *
 * Invariant: an error is listed once, however often a tool repeats it.
 */
import type { BuildError } from './toolchain.ts';

/** `file:line:column: error: message`, the column optional. */
export const colonError: RegExp =
  /^\s*(?<file>(?:[A-Za-z]:)?[^\s:][^:\n]*):(?<line>\d+)(?::(?<column>\d+))?: (?:fatal )?error: (?<message>.+)$/gm;

/** `file(line,column): error CODE: message`. */
export const parenthesisError: RegExp =
  /^\s*(?<file>(?:[A-Za-z]:)?[^\s(:][^(:\n]*)\((?<line>\d+)(?:,(?<column>\d+))?(?:,\d+,\d+)?\) ?: (?:fatal )?error (?<message>.+)$/gm;

/** Parses every match of a global pattern with the groups file, line, column and message. */
export function errorsMatching(text: string, pattern: RegExp): readonly BuildError[] {
  const found = new Map<string, BuildError>();
  for (const { groups } of text.matchAll(pattern)) {
    const error = {
      file: groups?.file?.trim() ?? '',
      line: Number(groups?.line ?? 0),
      column: Number(groups?.column ?? 0),
      message: groups?.message?.trim() ?? '',
    };
    found.set(JSON.stringify(error), error);
  }
  return [...found.values()];
}
