/**
 * How a file imports what it names: in which resolution mode, and from which runtime of JSX.
 *
 * After an edit of one file TypeScript 7 keeps a program in which the file names the same modules as before. It does not
 * compare in which mode each is resolved (`import` or `require`), nor the pragmas that name a runtime, and answers from the
 * resolution of the text before. An event about the configurations makes it resolve all names again.
 *
 * Invariant: two texts of one file that name the same modules in other modes, or other runtimes, differ here.
 */
import { scanImports } from '../../graph/reach/import-scan.ts';

/** Whether a program that contains `before` would be kept for `after`, with modules resolved as for `before`. */
export function resolvesOtherwise(path: string, before: string | undefined, after: string): boolean {
  // Of a text that is not known nothing can be compared: what has modes of its own is resolved again.
  if (before === undefined) return importsWithMode.test(after);
  if (modesIn(before) === modesIn(after)) return false;
  return specifiersIn(path, before) === specifiersIn(path, after);
}

function modesIn(text: string): string {
  if (!importsWithMode.test(text)) return '';
  return [...new Set(text.match(modes))].sort().join('\n');
}

function specifiersIn(path: string, text: string): string {
  return [...scanImports('ecmascript', path, text).specifiers].sort().join('\n');
}

/** A text without a match imports in the mode of its file alone, and names no runtime. */
export const importsWithMode = /@jsx(?:ImportSource|Runtime)\b|\brequire\b|\bimport\s*\(|\bresolution-mode\b/;

const modes =
  /@jsx(?:ImportSource|Runtime)[ \t]+\S+|\b(?:require|import)\s*\([^()\n]*\)|['"][^'"\n]+['"]\s*with\s*\{[^{}]*\}|^[ \t]*\/\/\/[^\n]*\bresolution-mode\b[^\n]*/gm;
