/** Several judged patches, best first: as a table and as JSON. */

import type { PatchOutcome, RankedPatch } from '../../host/check/alternatives.ts';
import { counted } from '../../text/counted-noun.ts';
import type { Palette } from '../print/palette.ts';
import { type Cell, tableText } from '../print/table.ts';
import { findingLine } from './human-report.ts';
import { jsonReport } from './json-report.ts';

/** One line per patch, and below the table the diagnostics against it. */
export function rankingReport(ranked: readonly RankedPatch[], palette: Palette): string {
  const head = ['rank', 'patch', 'verdict', 'introduced', 'resolved', 'lines'];
  const rows: Cell[][] = [head.map((text) => ({ text, paint: palette.faint }))];
  const objections: string[] = [];
  for (const { rank, name, outcome } of ranked) {
    rows.push([{ text: String(rank) }, { text: name }, ...outcomeCells(outcome, palette)]);
    const lines = objectionsTo(outcome);
    if (lines.length > 0) objections.push([palette.strong(name), ...lines].join('\n  '));
  }
  return [tableText(rows), ...objections.map((text) => `${text}\n`)].join('\n');
}

export function rankingJson(ranked: readonly RankedPatch[]): Readonly<Record<string, unknown>> {
  return {
    ranked: ranked.map(({ rank, name, outcome }) => ({ rank, patch: name, ...outcomeJson(outcome) })),
  };
}

function outcomeCells(outcome: PatchOutcome, palette: Palette): readonly Cell[] {
  if (outcome.kind === 'failed') return [{ text: 'failed', paint: palette.error }];
  const { check, merit } = outcome;
  const { introducedErrors, resolved, lines } = merit;
  const { kind } = check.verdict;
  const paint = { clean: palette.good, broken: palette.error, unknown: palette.warning }[kind];
  return [
    { text: kind, paint },
    { text: counted(introducedErrors, 'error') },
    { text: String(resolved) },
    { text: `+${lines.added} -${lines.removed}` },
  ];
}

function objectionsTo(outcome: PatchOutcome): readonly string[] {
  if (outcome.kind === 'failed') {
    const { message, remedy, code } = outcome.failure;
    return [`${message} [${code}]`, remedy];
  }
  const { evaluations, unjudged } = outcome.check;
  const errors = evaluations.flatMap(({ introduced }) =>
    introduced.filter(({ diagnostic }) => diagnostic.severity === 'error'),
  );
  return [
    ...errors.map(findingLine),
    ...unjudged.map(({ paths, reason }) => `not judged: ${paths.join(', ')}: ${reason}`),
  ];
}

function outcomeJson(outcome: PatchOutcome): Readonly<Record<string, unknown>> {
  if (outcome.kind === 'failed') {
    const { code, message, remedy } = outcome.failure;
    return { verdict: 'unknown', failure: { code, message, remedy } };
  }
  const { introducedErrors, resolved, lines } = outcome.merit;
  return {
    introduced_errors: introducedErrors,
    resolved,
    lines_added: lines.added,
    lines_removed: lines.removed,
    ...jsonReport(outcome.check),
  };
}
