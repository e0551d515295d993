/**
 * The diagnostic format of reviewdog.
 *
 * Invariant: its columns count bytes of UTF-8, so a column is given only where the text of its line is known.
 */
import type { Position } from '../../../text/position.ts';
import { type AnnotatedPlace, type Annotation, annotationsOf } from './report.ts';
import { jsonText, type ReportFormat } from './report-format.ts';

export const rdjsonFormat: ReportFormat = {
  name: 'rdjson',
  about: 'the diagnostic format of reviewdog',
  render: (report) =>
    jsonText({ source: { name: 'forerun' }, diagnostics: annotationsOf(report).map(diagnosticOf) }),
};

const severities: Readonly<Record<Annotation['severity'], string>> = {
  error: 'ERROR',
  warning: 'WARNING',
  note: 'INFO',
  unknown: 'WARNING',
};

function diagnosticOf({ rule, severity, message, place }: Annotation): unknown {
  return {
    message,
    location: place ? locationOf(place) : { path: '.' },
    severity: severities[severity],
    code: { value: rule },
  };
}

function locationOf({ path, range, lines }: AnnotatedPlace): unknown {
  return {
    path,
    range: { start: positionOf(range.start, lines?.first), end: positionOf(range.end, lines?.last) },
  };
}

function positionOf({ line, character }: Position, text: string | undefined): unknown {
  const column = text === undefined ? {} : { column: Buffer.byteLength(text.slice(0, character)) + 1 };
  return { line: line + 1, ...column };
}
