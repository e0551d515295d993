/**
 * What a file imports, as its text names it.
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

/** Languages whose imports are read for what depends on what; the others are read line by line. */
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

/** The scan's marks for "any file" name nothing. */
function isName(specifier: string): boolean {
  return specifier !== '*' && !specifier.startsWith('//');
}
