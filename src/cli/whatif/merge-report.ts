/** A judged merge as tables for a person. */

import type { MergeCheck } from '../../host/check/merge-check.ts';
import type { MergePair, MergeSide, PairOutcome, SemanticConflict } from '../../merge/merge-evaluation.ts';
import { counted } from '../../text/counted-noun.ts';
import type { Palette } from '../print/palette.ts';
import { type Cell, tableText } from '../print/table.ts';
import { findingLine } from './human-report.ts';

/** The train first, because it is the answer; then the matrix, then what stands against each pair. */
export function mergeReport(check: MergeCheck, palette: Palette): string {
  const objections = check.pairs.flatMap((pair) => pairText(check, pair, palette));
  return [trainText(check, palette), matrix(check, palette), ...objections].join('\n');
}

/** How many of the sides merge, in words. */
export function trainSentence({ sides, train, onto }: MergeCheck): string {
  const { length } = train.order;
  if (length === 1 && sides.length === 1) return `${sides[0]?.name} merges onto ${onto}`;
  if (length === sides.length) return `all ${length} merge onto ${onto}`;
  return `longest clean train: ${length} of ${sides.length} onto ${onto}`;
}

function trainText(check: MergeCheck, palette: Palette): string {
  const { sides, train } = check;
  const { order, leftOut } = train;
  const name = (side: number) => sides[side]?.name ?? '';
  const isWhole = order.length === sides.length;
  const sentence = trainSentence(check);
  const head = isWhole ? palette.good(`clean: ${sentence}`) : palette.strong(sentence);
  const steps = order.map((side, index) => `  ${index + 1}. ${name(side)}`);
  const out = leftOut.map(({ side, why }) => `  ${palette.error('left out')} ${name(side)}: ${why}`);
  return `${[head, ...steps, ...out].join('\n')}\n`;
}

/** Below the diagonal; the diagonal is each side alone. */
function matrix({ sides, pairs }: MergeCheck, palette: Palette): string {
  const letters = sides.map((_, index) => ({ text: letterOf(index), paint: palette.faint }));
  const rows: Cell[][] = [[{ text: '' }, { text: '' }, ...letters]];
  for (const [row, { name, alone }] of sides.entries()) {
    const cells = sides.slice(0, row).map((_, column) => {
      const pair = pairs.find(({ one, other }) => one === column && other === row);
      return pair ? pairCell(pair.outcome, palette) : { text: '' };
    });
    rows.push([
      { text: letterOf(row), paint: palette.faint },
      { text: name },
      ...cells,
      aloneCell(alone, palette),
    ]);
  }
  return tableText(rows);
}

function letterOf(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1);
}

function aloneCell(alone: MergeSide['alone'], palette: Palette): Cell {
  if (alone.kind === 'conflict') return { text: counted(alone.paths.length, 'file'), paint: palette.warning };
  const { verdict } = alone.check;
  if (verdict.kind === 'broken') return { text: counted(verdict.errors, 'error'), paint: palette.error };
  return { text: verdict.kind, paint: verdict.kind === 'clean' ? palette.good : palette.warning };
}

function pairCell(outcome: PairOutcome, palette: Palette): Cell {
  switch (outcome.kind) {
    case 'clean':
      return { text: 'clean', paint: palette.good };
    case 'textual':
      return { text: counted(outcome.paths.length, 'file'), paint: palette.warning };
    case 'semantic':
      return { text: counted(outcome.conflicts.length, 'error'), paint: palette.error };
    case 'unknown':
      return { text: 'unknown', paint: palette.warning };
  }
}

function pairText(
  { sides }: MergeCheck,
  { one, other, outcome }: MergePair,
  palette: Palette,
): readonly string[] {
  const names = [sides[one]?.name ?? '', sides[other]?.name ?? ''] as const;
  const title = palette.strong(names.join(' and '));
  switch (outcome.kind) {
    case 'clean':
      return [];
    case 'textual':
      return [`${title}: ${palette.warning('textual conflict')} in ${outcome.paths.join(', ')}\n`];
    case 'unknown':
      return [`${title}: ${palette.warning('unknown')}\n${outcome.why.map((why) => `  ${why}\n`).join('')}`];
    case 'semantic': {
      const lines = outcome.conflicts.flatMap((conflict) => conflictLines(conflict, names));
      const head = `${title}: ${palette.error('semantic conflict')}: the text merges, and the result has errors that neither has alone`;
      return [`${[head, ...lines].join('\n')}\n`];
    }
  }
}

function conflictLines(
  { finding, one, other }: SemanticConflict,
  [oneName, otherName]: readonly [string, string],
): readonly string[] {
  const changes = [
    { name: oneName, change: one },
    { name: otherName, change: other },
  ];
  return [
    `  ${findingLine(finding)}`,
    ...changes.flatMap(({ name, change }) =>
      change ? [`    ${name} changed ${change.path}:${change.line + 1}  ${change.text}`] : [],
    ),
  ];
}
