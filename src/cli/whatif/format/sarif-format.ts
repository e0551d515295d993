/**
 * SARIF 2.1.0 for code scanning.
 *
 * Invariant: what was not proved is a result of its own, of kind `open`, which the standard has for a rule that was
 * evaluated without enough information to decide.
 */
import { version } from '../../../host/version.ts';
import { type Annotation, ownRules, type ReportSuite } from './report.ts';
import { jsonText, type ReportFormat } from './report-format.ts';

export const sarifFormat: ReportFormat = {
  name: 'sarif',
  about: 'SARIF 2.1.0, for code scanning',
  render: ({ suites, outcome }) =>
    jsonText({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      // Several patches are runs of their own, told apart by their category.
      runs: suites.map((suite) => ({
        ...runOf(suite),
        ...(outcome.kind === 'ranking' && { automationDetails: { id: `${suite.name}/` } }),
      })),
    }),
};

function runOf({ cases, verdict }: ReportSuite): Readonly<Record<string, unknown>> {
  const annotations = cases.flatMap((each) => each.annotations);
  const ids = [...new Set(annotations.map(({ rule }) => rule))].sort();
  return {
    tool: { driver: { name: 'forerun', version, rules: ids.map((id) => ruleEntry(id, annotations)) } },
    columnKind: 'utf16CodeUnits',
    results: annotations.map((annotation) => resultOf(annotation, ids.indexOf(annotation.rule))),
    properties: { verdict },
  };
}

/** Servers do not describe their rules, so theirs are named by source and code. */
function ruleEntry(id: string, annotations: readonly Annotation[]): Readonly<Record<string, unknown>> {
  const own = Object.values(ownRules).find((rule) => rule.id === id);
  const [source, ...code] = id.split('/');
  const text = own?.about ?? `Diagnostic ${code.join('/') || 'without a code'} of ${source}`;
  const first = annotations.find(({ rule }) => rule === id);
  return {
    id,
    name: id.replaceAll(/[^A-Za-z0-9]+/g, '-'),
    shortDescription: { text },
    defaultConfiguration: { level: levels[first?.severity ?? 'error'] },
    properties: { tags: ['correctness'] },
  };
}

const levels: Readonly<Record<Annotation['severity'], string>> = {
  error: 'error',
  warning: 'warning',
  note: 'note',
  unknown: 'none',
};

function resultOf(
  { rule, severity, message, place, fingerprint }: Annotation,
  ruleIndex: number,
): Readonly<Record<string, unknown>> {
  return {
    ruleId: rule,
    ruleIndex,
    ...(severity === 'unknown' && { kind: 'open' }),
    level: levels[severity],
    message: { text: message },
    ...(place && {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: place.path.split('/').map(encodeURIComponent).join('/') },
            region: {
              startLine: place.range.start.line + 1,
              startColumn: place.range.start.character + 1,
              endLine: place.range.end.line + 1,
              endColumn: place.range.end.character + 1,
            },
          },
        },
      ],
    }),
    partialFingerprints: { 'forerunAnnotation/v1': fingerprint },
  };
}
