/**
 * The preamble, which a C or C++ server compiles separately and caches: everything before the first declaration.
 *
 * Invariant: two texts with one head have one preamble; texts that differ in a directive anywhere have different
 * heads.
 */
export function headOf(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex((line, place) => !isPreamble(line, lines[place - 1]));
  const head = end < 0 ? lines : lines.slice(0, end);
  const rest = end < 0 ? [] : lines.slice(end).filter((line) => /^\s*#/.test(line));
  return [...head, ...rest].join('\n');
}

/** Comments count while they are easily recognised; what comes after them is compared by its directives. */
function isPreamble(line: string, above = ''): boolean {
  return /^\s*(?:$|#|\/\/|\/\*|\*)/.test(line) || above.trimEnd().endsWith('\\');
}
