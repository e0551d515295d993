import { compareLines, type LineHunk } from './diff.ts';

/**
 * The part of a patch that changes one stretch of a file.
 *
 * Invariant: `lines` holds as many old lines (context and removed) as `oldCount` says and as many new ones
 * (context and added) as `newCount` says.
 */
export interface Hunk {
  /** The first old line, counted from 1; with `oldCount` 0 the line the hunk inserts after. */
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  /** What the header says about the place, such as the enclosing function. */
  readonly section?: string;
  readonly lines: readonly HunkLine[];
}

/** One line of a hunk. `text` includes the `\n` that ends it; without one, the file ends there. */
export interface HunkLine {
  readonly kind: 'context' | 'removed' | 'added';
  readonly text: string;
}

/** The hunks that turn `before` into `after`, each with up to `context` unchanged lines around it. */
export function makeHunks(before: string, after: string, context: number): Hunk[] {
  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  return group(compareLines(before, after), context).map((changes) =>
    makeHunk(changes, { oldLines, newLines, context }),
  );
}

interface ComparedLines {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  readonly context: number;
}

function makeHunk(changes: ChangeGroup, { oldLines, newLines, context }: ComparedLines): Hunk {
  const lines: HunkLine[] = [];
  const [first] = changes;
  const last = changes.at(-1) ?? first;
  const lead = Math.min(context, first.oldStart);
  const oldStart = first.oldStart - lead;
  const newStart = first.newStart - lead;
  const oldEnd = Math.min(oldLines.length, last.oldEnd + context);
  let at = oldStart;
  for (const change of changes) {
    for (const text of oldLines.slice(at, change.oldStart)) lines.push({ kind: 'context', text });
    for (const text of oldLines.slice(change.oldStart, change.oldEnd)) lines.push({ kind: 'removed', text });
    for (const text of newLines.slice(change.newStart, change.newEnd)) lines.push({ kind: 'added', text });
    at = change.oldEnd;
  }
  for (const text of oldLines.slice(at, oldEnd)) lines.push({ kind: 'context', text });
  const oldCount = oldEnd - oldStart;
  const newCount = last.newEnd + oldEnd - at - newStart;
  return {
    oldStart: oldCount === 0 ? oldStart : oldStart + 1,
    oldCount,
    newStart: newCount === 0 ? newStart : newStart + 1,
    newCount,
    lines,
  };
}

/** The text after the hunks and by how many lines the furthest strayed, or the first that has no place (from 0). */
export type HunksApplied =
  | { readonly kind: 'applied'; readonly text: string; readonly offset: number }
  | { readonly kind: 'rejected'; readonly hunk: number; readonly reason: string };

/**
 * Applies hunks in order: each at its stated place if its old lines stand there, else at the nearest place
 * behind the previous hunk where they do, the later one of two that are equally near.
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): HunksApplied {
  const lines = splitLines(text);
  const result: string[] = [];
  let reached = 0;
  let offset = 0;
  for (const [number, hunk] of hunks.entries()) {
    const old = hunk.lines.filter((line) => line.kind !== 'added').map((line) => line.text);
    const stated = hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1;
    const place = findPlace(lines, old, reached, stated);
    if (place === undefined) return { kind: 'rejected', hunk: number, reason: mismatch(lines, old, stated) };
    if (Math.abs(place - stated) > Math.abs(offset)) offset = place - stated;
    for (; reached < place; reached += 1) result.push(lines[reached] ?? '');
    for (const line of patchedLines(hunk, lines, { old, place })) result.push(line);
    reached += old.length;
  }
  return { kind: 'applied', text: result.concat(lines.slice(reached)).join(''), offset };
}

/** What a hunk makes of its old lines where they stand; context lines stay as the text has them. */
function patchedLines(
  hunk: Hunk,
  lines: readonly string[],
  { old, place }: { readonly old: readonly string[]; readonly place: number },
): readonly string[] {
  const toCrlf = lostCarriageReturns(lines, old, place);
  const patched: string[] = [];
  let at = place;
  for (const { kind, text } of hunk.lines) {
    if (kind === 'added') patched.push(toCrlf ? withCrlf(text) : text);
    else if (kind === 'context') patched.push(lines[at++] ?? '');
    else at += 1;
  }
  return patched;
}

/** The lines of a text, each with its `\n`; only the last may lack it. */
function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', start)) {
    lines.push(text.slice(start, at + 1));
    start = at + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

type ChangeGroup = readonly [LineHunk, ...LineHunk[]];

/** Changes whose context would touch are shown together. */
function group(changes: readonly LineHunk[], context: number): readonly ChangeGroup[] {
  const groups: [LineHunk, ...LineHunk[]][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    const end = last?.at(-1)?.oldEnd;
    if (last && end !== undefined && change.oldStart - end <= 2 * context) last.push(change);
    else groups.push([change]);
  }
  return groups;
}

function findPlace(
  lines: readonly string[],
  old: readonly string[],
  earliest: number,
  stated: number,
): number | undefined {
  const latest = lines.length - old.length;
  const stands = (place: number): boolean =>
    place >= earliest && place <= latest && standsAt(lines, old, place);
  if (stands(stated)) return stated;
  // Without old lines there is nothing to recognise another place by.
  if (old.length === 0) return undefined;
  const nearest = Math.max(earliest, Math.min(stated, latest));
  for (let distance = 0; distance <= lines.length; distance += 1) {
    if (stands(nearest + distance)) return nearest + distance;
    if (stands(nearest - distance)) return nearest - distance;
  }
  return undefined;
}

function standsAt(lines: readonly string[], old: readonly string[], place: number): boolean {
  return old.every((line, at) => isSameLine(lines[place + at], line));
}

/** A patch may have lost the carriage returns of its file on the way; nothing else is forgiven. */
function isSameLine(line: string | undefined, patched: string): boolean {
  return line === patched || line === withCrlf(patched);
}

/** Whether the old lines matched only because carriage returns were forgiven; then the new lines get them too. */
function lostCarriageReturns(lines: readonly string[], old: readonly string[], place: number): boolean {
  return old.some((line, at) => line !== lines[place + at]);
}

function withCrlf(line: string): string {
  return line.endsWith('\n') && !line.endsWith('\r\n') ? `${line.slice(0, -1)}\r\n` : line;
}

function mismatch(lines: readonly string[], old: readonly string[], stated: number): string {
  if (old.length === 0) {
    return `it inserts after line ${stated}, which is not there to insert after`;
  }
  const at = old.findIndex((line, index) => !isSameLine(lines[stated + index], line));
  if (at < 0) return `its place at line ${stated + 1} is taken by the hunk before it`;
  const found = lines[stated + at];
  const wanted = JSON.stringify(old[at]);
  const there = found === undefined ? 'the text has ended' : `the text has ${JSON.stringify(found)}`;
  return `line ${stated + at + 1} should be ${wanted}, but ${there}; its lines stand together nowhere else`;
}
