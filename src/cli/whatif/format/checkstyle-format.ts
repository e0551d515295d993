/** Checkstyle XML, which most review programs read. */
import { type Annotation, annotationsOf } from './report.ts';
import type { ReportFormat } from './report-format.ts';
import { type XmlElement, xmlDocument } from './xml-text.ts';

export const checkstyleFormat: ReportFormat = {
  name: 'checkstyle',
  about: 'Checkstyle XML',
  render(report) {
    const byFile = new Map<string, Annotation[]>();
    for (const annotation of annotationsOf(report)) {
      // The format has no statement without a file.
      const path = annotation.place?.path ?? '.';
      byFile.set(path, [...(byFile.get(path) ?? []), annotation]);
    }
    const children = [...byFile].map(([name, annotations]) => ({
      name: 'file',
      attributes: { name },
      children: annotations.map(errorElement),
    }));
    return xmlDocument({ name: 'checkstyle', attributes: { version: '8.0' }, children });
  },
};

const severities: Readonly<Record<Annotation['severity'], string>> = {
  error: 'error',
  warning: 'warning',
  note: 'info',
  unknown: 'warning',
};

function errorElement({ rule, severity, message, place }: Annotation): XmlElement {
  const start = place?.range.start ?? { line: 0, character: 0 };
  const where = { line: start.line + 1, column: start.character + 1 };
  return { name: 'error', attributes: { ...where, severity: severities[severity], message, source: rule } };
}
