/** Measured lines as a table, on the terminal and in results.md. */
import { type Bench, type Goal, goalText, isHeld, type Line, ratioText } from './bench.ts';
import type { Measurement } from './support/measurement.ts';

export const tableHead: string = [
  '| what | ours | beside | ratio | goal | held |',
  '| --- | --- | --- | --- | --- | --- |',
].join('\n');

export function renderLine(line: Line, benchGoal: Goal): string {
  if (line.kind !== 'measured') return `| ${line.what} | – | – | – | – | ${line.kind}: ${line.why} |`;
  const goal = line.goal ?? benchGoal;
  const remarks = [line.shortfall, line.note].filter((remark) => remark !== undefined);
  const cells = [
    [line.what, ...remarks].join('; '),
    measured(line.ours),
    line.beside ? `${measured(line.beside.measurement)} ${line.beside.what}` : '–',
    ratioText(line, benchGoal),
    goalText(goal, line.ours.unit),
    isHeld(line, benchGoal),
  ];
  return `| ${cells.join(' | ')} |`;
}

export function renderResults(
  machine: readonly string[],
  results: readonly { readonly bench: Bench; readonly lines: readonly Line[] }[],
): string {
  const sections = results.flatMap(({ bench, lines }) => [
    `## ${bench.name}`,
    '',
    `${sentence(bench.claim)} Repeat with \`npm run bench -- ${bench.name}\`.`,
    '',
    tableHead,
    ...lines.map((line) => renderLine(line, bench.goal)),
    '',
  ]);
  return [
    '# Measured claims',
    '',
    'Written by `npm run bench`. Medians, with the 95th percentile in parentheses; both columns of a line were sampled',
    'in turn in one run. Absolute times are those of this machine; the ratios are the point.',
    '',
    ...machine.map((fact) => `- ${fact}`),
    '',
    ...sections,
  ].join('\n');
}

function measured({ median, p95, unit, count }: Measurement): string {
  return count === 1 ? `${digits(median)} ${unit}` : `${digits(median)} (${digits(p95)}) ${unit}`;
}

function digits(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 1 ? value.toFixed(1) : value.toPrecision(2);
}

function sentence(claim: string): string {
  return `${claim.charAt(0).toUpperCase()}${claim.slice(1)}.`;
}
