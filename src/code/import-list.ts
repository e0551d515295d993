/**
 * The imports of a file, as written.
 *
 * Invariant: read from the text alone; nothing is resolved.
 */

import { scanImports } from '../graph/reach/import-scan.ts';
import type { ReachFamily } from '../graph/reach/reach-family.ts';
import { type LanguageId, languageId } from '../servers/language.ts';

export function importsIn(language: LanguageId, path: string, text: string): readonly string[] {
  const family = families.get(language);
  if (family) return scanImports(family, path, text).specifiers.filter(isName);
  const lines = [...text.matchAll(statement)].map(([, imported = '']) => imported.trim());
  return [...new Set(lines)];
}

/** Languages whose imports are parsed for the import graph; others are read line by line. */
const families: ReadonlyMap<LanguageId, ReachFamily> = new Map(
  Object.entries({
    typescript: 'ecmascript',
    javascript: 'ecmascript',
    python: 'python',
    go: 'go',
    c: 'c',
    cpp: 'c',
  } as const).map(([name, family]) => [languageId(name), family]),
);

const statement =
  /^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:import|use|using|open|require(?:_relative)?|@import)\b[ \t]*\(?["'<]?([^\n;"'>)]+)/gm;

/** The scanner's marks for "any file" are not names. */
function isName(specifier: string): boolean {
  return specifier !== '*' && !specifier.startsWith('//');
}
