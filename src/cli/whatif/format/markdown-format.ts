/**
 * The summary of a pull request in Markdown.
 *
 * Invariant: texts of the workspace stand in code spans, where they mention no user, link no issue and end no table.
 */
import type { Finding } from '../../../evaluation/evaluation.ts';
import { counted } from '../../../text/counted-noun.ts';
import { type Annotation, annotationsOf, type Report, type ReportSuite } from './report.ts';
import type { ReportFormat } from './report-format.ts';

export const markdownFormat: ReportFormat = {
  name: 'markdown',
  about: 'the summary of a pull request',
  render(report) {
    const annotations = annotationsOf(report);
    const ofSeverity = (...severities: readonly Annotation['severity'][]) =>
      annotations.filter(({ severity }) => severities.includes(severity));
    const sections = [
      `### Forerun: ${words[report.verdict]}`,
      // Names of branches are texts of the workspace too.
      report.outcome.kind === 'merge' ? code(report.headline) : report.headline,
      overview(report),
      findingTable(ofSeverity('error', 'warning', 'note')),
      details('Not proved', ofSeverity('unknown').map(unknownLine)),
      details('Resolved', resolvedOf(report).map(resolvedLine)),
    ];
    return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
  },
};

const words: Readonly<Record<Report['verdict'], string>> = {
  clean: '✅ clean',
  broken: '❌ broken',
  unknown: '❔ unknown',
};

/** Tables longer than this make a comment that some forges cut off. */
const shownRows = 50;

function findingTable(annotations: readonly Annotation[]): string {
  if (annotations.length === 0) return '';
  const rows = annotations.slice(0, shownRows).map(({ severity, rule, message, place }) => {
    const where = place ? `${place.path}:${place.range.start.line + 1}` : '';
    return `| ${severity} | ${code(where)} | ${code(message)} | ${code(rule)} |`;
  });
  const rest = annotations.length - rows.length;
  return [
    '| | place | message | rule |',
    '| --- | --- | --- | --- |',
    ...rows,
    ...(rest > 0 ? ['', `and ${rest} more`] : []),
  ].join('\n');
}

/** Several patches or branches, with the verdict on each. */
function overview({ outcome, suites }: Report): string {
  if (outcome.kind === 'change') return '';
  const rows = outcome.kind === 'ranking' ? suites.map(suiteRow) : suites.flatMap(caseRows);
  return ['| judged | verdict |', '| --- | --- |', ...rows].join('\n');
}

function suiteRow({ name, verdict }: ReportSuite): string {
  return `| ${code(name)} | ${words[verdict]} |`;
}

function caseRows({ cases }: ReportSuite): readonly string[] {
  return cases.map(({ name, annotations }) => {
    const has = (severity: Annotation['severity']) => annotations.some((each) => each.severity === severity);
    const verdict = has('error') ? 'broken' : has('unknown') ? 'unknown' : 'clean';
    return `| ${code(name)} | ${words[verdict]} |`;
  });
}

function details(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const shown = lines.slice(0, shownRows);
  const rest = lines.length - shown.length;
  const more = rest > 0 ? [`- and ${rest} more`] : [];
  const summary = `<summary>${title}: ${counted(lines.length, 'statement')}</summary>`;
  return ['<details>', summary, '', ...shown, ...more, '', '</details>'].join('\n');
}

function unknownLine({ message, place }: Annotation): string {
  return `- ${place ? `${code(place.path)}: ` : ''}${code(message)}`;
}

function resolvedLine({ path, diagnostic }: Finding): string {
  return `- ${code(`${path}:${diagnostic.range.start.line + 1}`)}: ${code(diagnostic.message)}`;
}

function resolvedOf({ outcome }: Report): readonly Finding[] {
  if (outcome.kind !== 'change') return [];
  return outcome.check.evaluations.flatMap((evaluation) => evaluation.resolved);
}

/** A code span on one line, delimited by more backticks than the text has in a row. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
  if (line === '') return '';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
