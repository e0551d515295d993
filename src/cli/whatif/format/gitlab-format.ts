/** The code quality report of GitLab: an array of issues, each with a place. */
import { type Annotation, annotationsOf } from './report.ts';
import { jsonText, type ReportFormat } from './report-format.ts';

export const gitlabFormat: ReportFormat = {
  name: 'gitlab',
  about: 'the code quality report of GitLab',
  render: (report) => jsonText(annotationsOf(report).map(issueOf)),
};

const severities: Readonly<Record<Annotation['severity'], string>> = {
  error: 'critical',
  warning: 'minor',
  note: 'info',
  unknown: 'major',
};

/** GitLab rejects an issue without a path; what is about no file is said of the whole tree. */
function issueOf({ rule, severity, message, place, fingerprint }: Annotation): unknown {
  const lines = place
    ? { begin: place.range.start.line + 1, end: place.range.end.line + 1 }
    : { begin: 1, end: 1 };
  return {
    description: message,
    check_name: rule,
    fingerprint,
    severity: severities[severity],
    location: { path: place?.path ?? '.', lines },
  };
}
