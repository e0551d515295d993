/** What was judged, for a reader: one section per failing change, and the table of a repository. */
import type { Outcome } from './comparison.ts';
import type { JudgedChange } from './judgement.ts';

export interface RunHeader {
  readonly repository: string;
  readonly commit: string;
  readonly language: string;
  readonly seed: number;
}

const outcomes: readonly Outcome[] = ['exact', 'unread', 'honest', 'false-clean', 'false-high', 'invented'];

/** Everything needed to repeat one change. */
export function renderChange({ repository, seed }: RunHeader, judged: JudgedChange): string {
  const { change, answer, outcome } = judged;
  const { verdict, confidence, durationMs } = answer;
  const ours = [
    ...answer.introduced.map((each) => ['+', each] as const),
    ...answer.resolved.map((each) => ['-', each] as const),
  ];
  return [
    `## ${outcome}: ${repository}, ${change.kind} (seed ${seed})`,
    '',
    `${change.sentence}`,
    '',
    `Forerun: ${verdict}, confidence ${confidence}, ${durationMs} ms. Compiler: ${judged.introduced.length} introduced, ${judged.resolved.length} resolved, ${judged.compilerMs} ms.`,
    ...answer.doubts.slice(0, 6).map((doubt) => `- doubt: ${doubt}`),
    ...some('missed by Forerun', judged.missed),
    ...some('invented by Forerun', judged.invented),
    ...some('resolved, but never there', judged.neverThere),
    ...some(
      "Forerun's own list",
      ours.map(
        ([sign, { path, line, column, code, message }]) =>
          `${sign} ${path}:${line}:${column} ${code} ${message.slice(0, 120)}`,
      ),
    ),
    ...some("the compiler's difference", [
      ...judged.introduced.map((each) => `+ ${each}`),
      ...judged.resolved.map((each) => `- ${each}`),
    ]),
    '',
    '```diff',
    ...answer.patch.split('\n').slice(0, 40),
    '```',
    '',
  ].join('\n');
}

/** As much of a judged change as a table needs. */
export interface CountedChange {
  readonly outcome: Outcome;
  readonly compilerMs: number;
  readonly change: { readonly kind: string };
  readonly answer: { readonly durationMs: number };
}

export interface CountedRun {
  readonly header: RunHeader;
  readonly judged: readonly CountedChange[];
}

/** The tables of `bench/truth.md`: by repository, and by kind. */
export function renderTruth(runs: readonly CountedRun[]): string {
  const names = outcomes.join(' | ');
  const rules = outcomes.map(() => '---').join(' | ');
  const judged = runs.flatMap((run) =>
    run.judged.map((each) => ({ ...each, language: run.header.language })),
  );
  const places = groupBy(
    runs,
    ({ header }) => `${header.repository} | ${header.commit} | ${header.language}`,
  );
  const kinds = groupBy(judged, ({ language, change }) => `${language} | ${change.kind}`);
  return [
    `| repository | commit | language | seeds | changes | kinds | ${names} | Forerun ms, median | compiler ms, median |`,
    `| --- | --- | --- | --- | --- | --- | ${rules} | --- | --- |`,
    ...[...places].map(([place, of]) => {
      const changes = of.flatMap((run) => run.judged);
      const seeds = [...new Set(of.map(({ header }) => header.seed))].join(', ');
      const ours = median(changes.map(({ answer }) => answer.durationMs));
      const theirs = median(changes.map(({ compilerMs }) => compilerMs));
      const various = new Set(changes.map(({ change }) => change.kind)).size;
      return `| ${place} | ${seeds} | ${changes.length} | ${various} | ${counts(changes)} | ${ours} | ${theirs} |`;
    }),
    `| all | | | | ${judged.length} | ${kinds.size} | ${counts(judged)} | | |`,
    '',
    `| language | kind | changes | ${names} |`,
    `| --- | --- | --- | ${rules} |`,
    ...[...kinds].sort().map(([kind, of]) => `| ${kind} | ${of.length} | ${counts(of)} |`),
    '',
  ].join('\n');
}

function counts(judged: readonly CountedChange[]): string {
  return outcomes
    .map((outcome) => judged.filter((each) => each.outcome === outcome).length || '')
    .join(' | ');
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function some(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length > 12 ? [`… and ${lines.length - 12} more`] : [];
  return ['', `${title} (${lines.length}):`, '```', ...lines.slice(0, 12), ...more, '```'];
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
