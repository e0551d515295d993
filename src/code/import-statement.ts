/**
 * Whether a position is in an import instead of code that uses the imported name.
 *
 * Invariant: judged by the text alone; in doubt, it is a use.
 */
import type { LineIndex, Position } from '../text/position.ts';

/** Longer import lists are read as code. */
const maximumLines = 80;

export function standsInImport(index: LineIndex, position: Position): boolean {
  return standsIn(imports, index, position) || standsInReexport(index, position);
}

/** Whether other files get the name from here: a re-export is an import and a use. */
export function standsInReexport(index: LineIndex, position: Position): boolean {
  return standsIn(reexports, index, position);
}

function standsIn(beginning: RegExp, index: LineIndex, { line }: Position): boolean {
  if (line >= index.lineCount) return false;
  if (beginning.test(index.lineText(line))) return true;
  // Above the position, only the open beginning of a list makes it part of an import.
  for (let above = line - 1; above >= 0 && line - above <= maximumLines; above -= 1) {
    const text = index.lineText(above);
    if (beginning.test(text)) return /[({][^)}]*$/.test(text);
    if (/[)};]/.test(text)) return false;
  }
  return false;
}

const imports =
  /^\s*(?:import\b(?!\()|from\s+\S+\s+import\b|use\s|using\s|#\s*include\b|(?:const|let|var)\s[^=]*=\s*require\()/;

const reexports = /^\s*(?:export\s+(?:type\s+)?(?:\{|\*)|pub(?:\([^)]*\))?\s+use\s)/;
