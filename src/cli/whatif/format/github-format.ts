/**
 * Annotations of GitHub Actions: one workflow command per line.
 *
 * Invariant: no text of the workspace can start a command of its own; line ends and separators are escaped.
 */
import { type AnnotatedPlace, type Annotation, annotationsOf } from './report.ts';
import type { ReportFormat } from './report-format.ts';

export const githubFormat: ReportFormat = {
  name: 'github',
  about: 'annotations of GitHub Actions',
  render(report) {
    const lines = annotationsOf(report).map(command);
    return `${[...lines, `forerun: ${report.verdict}: ${escapedData(report.headline)}`].join('\n')}\n`;
  },
};

const commands: Readonly<Record<Annotation['severity'], string>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
  unknown: 'warning',
};

function command({ severity, rule, message, place }: Annotation): string {
  const properties = { ...(place && placeProperties(place)), title: rule };
  const words = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapedProperty(String(value))}`,
  );
  return `::${commands[severity]} ${words.join(',')}::${escapedData(message)}`;
}

/** GitHub accepts columns only of a range on one line. */
function placeProperties({
  path,
  range: { start, end },
}: AnnotatedPlace): Readonly<Record<string, string | number>> {
  const lines = { file: path, line: start.line + 1, endLine: end.line + 1 };
  if (start.line !== end.line) return lines;
  return { ...lines, col: start.character + 1, endColumn: end.character + 1 };
}

function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
