/**
 * Which diagnostics appeared and disappeared between two texts of one file.
 *
 * Old diagnostics are first mapped through the edits, so one that only moved counts as neither; one that an edit
 * touched is compared at its old position.
 *
 * Invariant: multisets. |introduced| − |resolved| = |after| − |before|, counting errors and warnings only.
 */
import type { Diagnostic } from '../lsp/diagnostic.ts';
import { diffText } from '../text/diff.ts';
import { LineIndex } from '../text/line-index.ts';
import { mapRange } from '../text/map-range.ts';
import { decodeRange } from '../text/position-encoding.ts';
import type { Range } from '../text/range.ts';

/** Where a range of the old text lies in the new one; undefined if an edit touched it. */
export type Carry = (range: Range) => Range | undefined;

export interface DiagnosticDiff {
  readonly introduced: readonly Diagnostic[];
  readonly resolved: readonly Diagnostic[];
}

export function diffDiagnostics(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
  carry: Carry,
): DiagnosticDiff {
  const unmatched = new Map<string, Diagnostic[]>();
  for (const diagnostic of after.filter(counts)) {
    const key = keyOf(diagnostic, diagnostic.range);
    const alike = unmatched.get(key);
    if (alike) alike.push(diagnostic);
    else unmatched.set(key, [diagnostic]);
  }
  const resolved: Diagnostic[] = [];
  for (const diagnostic of before.filter(counts)) {
    const range = carry(diagnostic.range);
    const alike = range && unmatched.get(keyOf(diagnostic, range));
    const match = alike?.findIndex((candidate) => isSameSource(candidate, diagnostic)) ?? -1;
    if (match >= 0) alike?.splice(match, 1);
    else resolved.push(diagnostic);
  }
  return { introduced: [...unmatched.values()].flat(), resolved };
}

/** Maps ranges through the edits between `before` and `after`. */
export function carryThrough(before: string, after: string): Carry {
  if (before === after) return (range) => range;
  // Lazy: most files have no diagnostics, and then the texts are not compared.
  const compared = once(() => ({
    change: diffText(before, after),
    oldIndex: new LineIndex(before),
    newIndex: new LineIndex(after),
  }));
  return (range) => {
    const { change, oldIndex, newIndex } = compared();
    // A server may send an end past the last line; decoding clamps it to the text.
    return mapRange(change, oldIndex, newIndex, decodeRange(oldIndex, range, 'utf-16'));
  };
}

function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}

function counts(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error' || diagnostic.severity === 'warning';
}

function keyOf(diagnostic: Diagnostic, { start, end }: Range): string {
  const place = `${start.line}:${start.character}-${end.line}:${end.character}`;
  return `${place} ${diagnostic.severity} ${diagnostic.message.replace(fixRemark, '')}`;
}

/** clangd appends this when its index has found a fix; it depends on the progress of the index, not on the code. */
const fixRemark = / \(fix(?:es)? available\)$/m;

/** Sources are compared only if both sides have one. */
function isSameSource(a: Diagnostic, b: Diagnostic): boolean {
  return a.source === undefined || b.source === undefined || a.source === b.source;
}
