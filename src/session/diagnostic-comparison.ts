/**
 * What a change introduces and resolves, file by file.
 *
 * Invariant: only what was measured on both sides is compared. A file whose baseline could not be measured introduces
 * nothing, since its errors may be old ones; a file that was not answered for after the change resolves nothing.
 */
import type { FileChange } from '../overlay/overlay.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import { comparePositions } from '../text/position.ts';
import { comparePaths } from '../workspace/workspace-path.ts';
import { carryThrough, diffDiagnostics } from './diagnostic-diff.ts';
import type { Finding } from './evaluation.ts';

export interface Findings {
  readonly introduced: readonly Finding[];
  readonly resolved: readonly Finding[];
}

export function compareDiagnostics(
  changes: readonly FileChange[],
  before: readonly FileDiagnostics[],
  after: readonly FileDiagnostics[],
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
    if (isUnmeasured(old) || isUnmeasured(now)) continue;
    const diff = diffDiagnostics(findingsOf(old), findingsOf(now), carryOf(change));
    introduced.push(...diff.introduced.map((diagnostic) => ({ path, diagnostic })));
    resolved.push(...diff.resolved.map((diagnostic) => ({ path: origin, diagnostic })));
  }
  return { introduced: introduced.sort(byPlace), resolved: resolved.sort(byPlace) };
}

/** What the compiler would report of a file: nothing where no project holds it. */
function findingsOf(answer: FileDiagnostics | undefined): FileDiagnostics['diagnostics'] {
  return answer === undefined || answer.isUnowned ? [] : answer.diagnostics;
}

/** A file that is absent on one side has no answer there, which is not the same as one that was not given. */
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
