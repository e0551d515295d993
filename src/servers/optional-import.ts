/**
 * Python imports that a program is written to do without.
 *
 * Invariant: an import outside every `try` that catches its failure is never optional.
 */

/** Whether the import on a line (from 0) is in a `try` that has an `except` for a module that cannot be imported. */
export function isOptionalImport(text: string, line: number): boolean {
  const lines = text.split('\n');
  let indent = indentOf(lines[line] ?? '');
  for (let at = line - 1; at >= 0 && indent > 0; at--) {
    const each = lines[at] ?? '';
    if (isEmpty(each) || indentOf(each) >= indent) continue;
    indent = indentOf(each);
    if (/^\s*try\s*:/.test(each) && catchesImport(lines.slice(at + 1), indent)) return true;
  }
  return false;
}

/** Whether a clause of the `try` before these lines, at its indentation, catches a failed import. */
function catchesImport(lines: readonly string[], indent: number): boolean {
  for (const line of lines) {
    if (isEmpty(line) || indentOf(line) > indent) continue;
    if (indentOf(line) < indent || !/^\s*except\b/.test(line)) return false;
    if (/^\s*except\s*:|\b(?:ImportError|ModuleNotFoundError|Exception|BaseException)\b/.test(line))
      return true;
  }
  return false;
}

function isEmpty(line: string): boolean {
  return /^\s*(?:#.*)?$/.test(line);
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}
