/** A judged patch as JSON: the verdict, then an evaluation per server with the fields of the tools. */

import type { Finding } from '../../evaluation/evaluation.ts';
import type { PatchCheck } from '../../host/check/patch-check.ts';
import { version } from '../../host/version.ts';
import { untrustedNote } from '../../servers/server-detection.ts';
import { evaluationPayload } from '../../tools/evaluation-payload.ts';

export function jsonReport(check: PatchCheck): Readonly<Record<string, unknown>> {
  const { verdict, workspace } = check;
  return {
    verdict: verdict.kind,
    ...(verdict.kind === 'broken' && { errors: verdict.errors, broken_files: verdict.in }),
    ...(verdict.kind === 'unknown' && { why: verdict.why }),
    judged: check.judged,
    workspace_root: workspace.root,
    changed_files: check.changed,
    evaluations: check.evaluations.map((evaluation) => evaluationPayload(workspace, evaluation)),
    unjudged: check.unjudged.map(({ paths, reason, remedy }) => ({ paths, reason, remedy })),
    ...untrustedNote(workspace.root, check.withheld),
  };
}

interface SarifReport {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly Readonly<Record<string, unknown>>[];
}

/** SARIF 2.1.0: one result for every diagnostic the patch introduces. */
export function sarifReport(check: PatchCheck): SarifReport {
  const introduced = check.evaluations.flatMap((evaluation) => evaluation.introduced);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'forerun', version, rules: rulesOf(introduced) } },
        results: introduced.map(sarifResult),
        properties: { verdict: check.verdict.kind },
      },
    ],
  };
}

function sarifResult({ path, diagnostic }: Finding): Readonly<Record<string, unknown>> {
  const { start, end } = diagnostic.range;
  return {
    ruleId: ruleOf(diagnostic),
    level: diagnostic.severity === 'error' ? 'error' : 'warning',
    message: { text: diagnostic.message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: path.split('/').map(encodeURIComponent).join('/') },
          region: {
            startLine: start.line + 1,
            startColumn: start.character + 1,
            endLine: end.line + 1,
            endColumn: end.character + 1,
          },
        },
      },
    ],
  };
}

function rulesOf(findings: readonly Finding[]): readonly { readonly id: string }[] {
  return [...new Set(findings.map(({ diagnostic }) => ruleOf(diagnostic)))].sort().map((id) => ({ id }));
}

function ruleOf({ source, code }: Finding['diagnostic']): string {
  return [source ?? 'diagnostic', code].filter((part) => part !== undefined).join('/');
}
