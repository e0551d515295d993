/** What was judged, for a reader: one section per failing change, and the table of a repository. */
import type { Outcome } from './comparison.ts';
import type { JudgedChange } from './judgement.ts';

export interface RunHeader {
  readonly repository: string;
  readonly commit: string;
  readonly language: string;
  readonly seed: number;
}

const outcomes: readonly Outcome[] = ['exact', 'honest', 'false-clean', 'false-high', 'invented'];

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

/** The lines of `bench/truth.md` for one run. */
export function renderSummary(header: RunHeader, judged: readonly JudgedChange[]): string {
  const { repository, commit, language } = header;
  const count = (outcome: Outcome, of = judged): number =>
    of.filter((each) => each.outcome === outcome).length;
  const kinds = [...new Set(judged.map(({ change }) => change.kind))].sort();
  const rows = kinds.map((kind) => {
    const of = judged.filter(({ change }) => change.kind === kind);
    return `| ${kind} | ${of.length} | ${outcomes.map((outcome) => count(outcome, of) || '').join(' | ')} |`;
  });
  return [
    `| repository | commit | language | changes | kinds | ${outcomes.join(' | ')} | Forerun ms, median | compiler ms, median |`,
    `| --- | --- | --- | --- | --- | ${outcomes.map(() => '---').join(' | ')} | --- | --- |`,
    `| ${repository} | ${commit} | ${language} | ${judged.length} | ${kinds.length} | ${outcomes.map((outcome) => count(outcome)).join(' | ')} | ${median(judged.map(({ answer }) => answer.durationMs))} | ${median(judged.map(({ compilerMs }) => compilerMs))} |`,
    '',
    `| kind | changes | ${outcomes.join(' | ')} |`,
    `| --- | --- | ${outcomes.map(() => '---').join(' | ')} |`,
    ...rows,
    '',
  ].join('\n');
}

function some(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length > 12 ? [`… and ${lines.length - 12} more`] : [];
  return ['', `${title} (${lines.length}):`, '```', ...lines.slice(0, 12), ...more, '```'];
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
