/** A judged merge: as tables for a person, as JSON for programs. */
import type { Finding } from '../../evaluation/evaluation.ts';
import type {
  MergePair,
  MergeSide,
  PairOutcome,
  SemanticConflict,
} from '../../evaluation/merge-evaluation.ts';
import type { MergeCheck } from '../../host/check/merge-check.ts';
import { counted } from '../../text/counted-noun.ts';
import type { Palette } from '../print/palette.ts';
import { type Cell, tableText } from '../print/table.ts';
import { findingLine } from './human-report.ts';

/** The train first, because it is the answer; then the matrix, then what stands against each pair. */
export function mergeReport(check: MergeCheck, palette: Palette): string {
  const objections = check.pairs.flatMap((pair) => pairText(check, pair, palette));
  return [trainText(check, palette), matrix(check, palette), ...objections].join('\n');
}

export function mergeJson(check: MergeCheck): Readonly<Record<string, unknown>> {
  const { sides, pairs, train, onto, verdict, workspace } = check;
  const name = (side: number) => sides[side]?.name;
  return {
    verdict,
    workspace_root: workspace.root,
    onto,
    sides: sides.map(({ name: side, alone }) => ({ name: side, ...sideJson(alone) })),
    pairs: pairs.map(({ one, other, outcome }) => ({
      sides: [name(one), name(other)],
      outcome: outcome.kind,
      ...pairJson(outcome),
    })),
    train: train.order.map(name),
    left_out: train.leftOut.map(({ side, why }) => ({ name: name(side), why })),
  };
}

function sideJson(alone: MergeSide['alone']): Readonly<Record<string, unknown>> {
  if (alone.kind === 'conflict') return { verdict: 'broken', textual_conflicts: alone.paths };
  const { verdict, changed, evaluations } = alone.check;
  const errors = evaluations.flatMap(({ introduced }) => introduced.filter(isError));
  return { verdict: verdict.kind, changed_files: changed, errors_introduced: errors.map(findingJson) };
}

function pairJson(outcome: PairOutcome): Readonly<Record<string, unknown>> {
  switch (outcome.kind) {
    case 'clean':
      return {};
    case 'textual':
      return { paths: outcome.paths };
    case 'unknown':
      return { why: outcome.why };
    case 'semantic':
      return {
        conflicts: outcome.conflicts.map(({ finding, one, other }) => ({
          ...findingJson(finding),
          changes: [one, other].map(
            (change) => change && { file: change.path, line: change.line + 1, text: change.text },
          ),
        })),
      };
  }
}

function findingJson({ path, diagnostic }: Finding): Readonly<Record<string, unknown>> {
  const { range, code, message } = diagnostic;
  return { file: path, line: range.start.line + 1, column: range.start.character + 1, code, message };
}

function isError({ diagnostic }: Finding): boolean {
  return diagnostic.severity === 'error';
}

function trainText({ sides, train, onto }: MergeCheck, palette: Palette): string {
  const { order, leftOut } = train;
  const name = (side: number) => sides[side]?.name ?? '';
  const head =
    order.length === sides.length
      ? palette.good(`clean: all ${sides.length} merge onto ${onto}`)
      : `${palette.strong(`longest clean train: ${order.length} of ${sides.length}`)} onto ${onto}`;
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
