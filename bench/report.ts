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

export interface BenchResult {
  readonly bench: Bench;
  readonly lines: readonly Line[];
  /** Load average of the machine when it began. */
  readonly load: number;
}

/** `earlier` is what stood there before: sections of benches that were not run are kept as they are. */
export function renderResults(
  machine: readonly string[],
  results: readonly BenchResult[],
  earlier: { readonly text: string; readonly names: readonly string[] },
): string {
  const run = new Map(results.map((result) => [result.bench.name, renderSection(result)]));
  const kept = new Map(
    earlier.text.split(/^(?=## )/m).map((section) => [/^## (.*)$/m.exec(section)?.[1], section.trimEnd()]),
  );
  const sections = earlier.names.flatMap((name) => run.get(name) ?? kept.get(name) ?? []);
  return [
    '# Measured claims',
    '',
    'Written by `npm run bench`. Medians, with the 95th percentile in parentheses; both columns of a line were sampled',
    'in turn in one run. Absolute times are those of this machine; the ratios are the point.',
    '',
    ...machine.map((fact) => `- ${fact}`),
    '',
    ...sections.flatMap((section) => [section, '']),
  ].join('\n');
}

function renderSection({ bench, lines, load }: BenchResult): string {
  const repeat = `Repeat with \`npm run bench -- ${bench.name}\`.`;
  return [
    `## ${bench.name}`,
    '',
    `${sentence(bench.claim)} ${repeat} Load average when it began: ${load.toFixed(2)}.`,
    '',
    tableHead,
    ...lines.map((line) => renderLine(line, bench.goal)),
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
