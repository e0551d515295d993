/**
 * The diagnostics that a change introduces and resolves, file by file.
 *
 * Invariant: only files measured on both sides are compared. A file whose baseline could not be measured introduces
 * nothing, since its errors may be old; a file without an answer after the change resolves nothing.
 */

import type { Diagnostic } from '../lsp/diagnostic.ts';
import type { FileChange } from '../overlay/overlay.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import { comparePositions } from '../text/position.ts';
import { comparePaths, parentOf } from '../workspace/workspace-path.ts';
import { carryThrough, diffDiagnostics } from './diagnostic-diff.ts';
import type { Finding } from './evaluation.ts';
import { withoutRepetitions } from './repeated-finding.ts';

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
  return {
    introduced: withoutRepetitions(introduced.sort(byPlace)),
    resolved: withoutRepetitions(gone.sort(byPlace)),
  };
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

function carryOf(change: FileChange | undefined): ReturnType<typeof carryThrough> {
  if (change?.before?.kind !== 'text' || change.after?.kind !== 'text') return (range) => range;
  return carryThrough(change.before.text, change.after.text);
}

function byPlace(a: Finding, b: Finding): number {
  return comparePaths(a.path, b.path) || comparePositions(a.diagnostic.range.start, b.diagnostic.range.start);
}
