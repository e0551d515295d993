/** A judged patch as JSON: the verdict, then an evaluation per server with the fields of the tools. */

import type { PatchCheck } from '../../host/check/patch-check.ts';
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
