/**
 * The diagnostics that a change introduces and resolves, file by file.
 *
 * Old diagnostics are first mapped through the edits, so one that only moved counts as neither; one that an edit
 * touched is compared at its old position.
 *
 * Invariants: only files measured on both sides are compared. A file whose baseline could not be measured introduces
 * nothing, since its errors may be old; a file without an answer after the change resolves nothing. Within a file
 * diagnostics are multisets: |introduced| − |resolved| = |after| − |before|, counting errors and warnings only.
 */
import type { Diagnostic } from '../lsp/diagnostic.ts';
import type { FileChange } from '../overlay/overlay.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import { diffText } from '../text/diff.ts';
import { mapRange } from '../text/map-range.ts';
import { comparePositions, decodeRange, LineIndex, type Range } from '../text/position.ts';
import { comparePaths, parentOf } from '../workspace/workspace-path.ts';
import type { Finding } from './evaluation.ts';

export interface Findings {
  readonly introduced: readonly Finding[];
  readonly resolved: readonly Finding[];
}

export function compareDiagnostics(
  changes: readonly FileChange[],
  before: readonly FileDiagnostics[],
  after: readonly FileDiagnostics[],
  stopsAt: readonly string[] = [],
): Findings {
  const past = new Map(before.map((answer) => [answer.path, answer]));
  const present = new Map(after.map((answer) => [answer.path, answer]));
  const byPath = new Map(changes.map((change) => [change.path, change]));
  const movedAway = new Set(changes.flatMap(({ from }) => from ?? []));
  const introduced: Finding[] = [];
  const resolved: Finding[] = [];
  for (const path of new Set([...past.keys(), ...present.keys()])) {
    if (movedAway.has(path) && !present.has(path)) continue;
    const change = byPath.get(path);
    const origin = change?.from ?? path;
    const [old, now] = [past.get(origin), present.get(path)];
    if (isUnmeasured(old) || isUnmeasured(now) || now?.wasUnowned) continue;
    // Diagnostics after the point where the server stopped before the change may be old.
    if (old?.isCut) continue;
    const isHintless = old?.lacksHints === true || now?.lacksHints === true;
    const compared = ({ severity }: Diagnostic): boolean => !isHintless || severity !== 'hint';
    const diff = diffDiagnostics(
      findingsOf(old).filter(compared),
      findingsOf(now).filter(compared),
      carryOf(change),
    );
    introduced.push(...diff.introduced.map((diagnostic) => ({ path, diagnostic })));
    if (!now?.isCut) resolved.push(...diff.resolved.map((diagnostic) => ({ path: origin, diagnostic })));
  }
  const isSeen = seenIn(after, stopsAt);
  // A server that stops at errors reports nothing else in their dependents.
  const stopped = stopsAt.length > 0 && introduced.some(({ diagnostic }) => diagnostic.severity === 'error');
  const gone = resolved.filter(
    (each) => isSeen(each) && !(stopped && each.diagnostic.severity === 'warning'),
  );
  return { introduced: introduced.sort(byPlace), resolved: gone.sort(byPlace) };
}

/**
 * The answers without errors that the server reports at any of several places, if the change cannot alter them, or if
 * others than the evaluated files may have reported them before. `sameFiles`: every project has the same files.
 */
export function withoutMisplaced(
  { before, after }: Sides,
  { codes, sameFiles }: { readonly codes: readonly (string | number)[]; readonly sameFiles: boolean },
): Sides & { readonly doubts: readonly string[] } {
  const isMisplaced = ({ code }: Diagnostic): boolean => code !== undefined && codes.includes(code);
  const messages = (answers: readonly FileDiagnostics[]): ReadonlySet<string> =>
    // Further lines of a message say why a file is part of the project, which is another reason each time.
    new Set(answers.flatMap(({ diagnostics }) => diagnostics.filter(isMisplaced).map(firstLine)));
  const [old, now] = [messages(before), messages(after)];
  if (old.size + now.size === 0) return { before, after, doubts: [] };
  const isSame = old.size === now.size && [...old].every((message) => now.has(message));
  const doubts = sameFiles || isSame ? [] : [`Not compared: ${[...now, ...old][0]}`];
  if (old.size === 0 && !sameFiles) return { before, after, doubts };
  const without = (answers: readonly FileDiagnostics[]): readonly FileDiagnostics[] =>
    answers.map((answer) => ({
      ...answer,
      diagnostics: answer.diagnostics.filter((each) => !isMisplaced(each)),
    }));
  return { before: without(before), after: without(after), doubts };
}

function firstLine({ message }: Diagnostic): string {
  return message.split('\n', 1)[0] ?? '';
}

interface Sides {
  readonly before: readonly FileDiagnostics[];
  readonly after: readonly FileDiagnostics[];
}

/**
 * Whether the server would have reported a finding that is gone: it reports nothing after the error it stopped at, in
 * the same directory.
 */
function seenIn(after: readonly FileDiagnostics[], stopsAt: readonly string[]): (gone: Finding) => boolean {
  const isStop = ({ source }: Diagnostic): boolean => source !== undefined && stopsAt.includes(source);
  const stopped = new Set(
    after.flatMap(({ path, diagnostics }) => (diagnostics.some(isStop) ? [parentOf(path)] : [])),
  );
  return ({ path, diagnostic }) => isStop(diagnostic) || !stopped.has(parentOf(path));
}

/** What the compiler would report for a file: nothing if no project contains it. */
function findingsOf(answer: FileDiagnostics | undefined): FileDiagnostics['diagnostics'] {
  return answer === undefined || answer.isUnowned ? [] : answer.diagnostics;
}

/** A file that does not exist on one side has no answer there, which differs from an answer that is missing. */
function isUnmeasured(answer: FileDiagnostics | undefined): boolean {
  return answer?.proof.kind === 'none';
}

/** Maps ranges through a change of a file. */
export function carryOf(change: FileChange | undefined): Carry {
  if (change?.before?.kind !== 'text' || change.after?.kind !== 'text') return (range) => range;
  return carryThrough(change.before.text, change.after.text);
}

function byPlace(a: Finding, b: Finding): number {
  return comparePaths(a.path, b.path) || comparePositions(a.diagnostic.range.start, b.diagnostic.range.start);
}

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
  return `${place} ${diagnostic.severity} ${plainMessage(diagnostic)}`;
}

/** The message without clangd's note on fixes. */
export function plainMessage({ message }: Diagnostic): string {
  return message.replace(fixRemark, '');
}

/** clangd appends this when its index has found a fix; it depends on the progress of the index, not on the code. */
const fixRemark = / \(fix(?:es)? available\)$/m;

/** Sources are compared only if both sides have one. */
function isSameSource(a: Diagnostic, b: Diagnostic): boolean {
  return a.source === undefined || b.source === undefined || a.source === b.source;
}
