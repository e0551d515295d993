/**
 * An Evaluation in tool answers: one-based positions, first the fields of the contract, then our additions.
 *
 * Invariant: lists are never null, and a shortened list comes with its full count.
 */
import {
  type Evaluation,
  type Finding,
  type PartialEvaluation,
  partialText,
  verdictOf,
} from '../evaluation/evaluation.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { toHuman } from './parameter.ts';
import type { ToolContext } from './tool-context.ts';

/** Tells the caller what is known before every file has answered. */
export function partialProgress({ connection }: ToolContext): (partial: PartialEvaluation) => void {
  return (partial) => connection.progress(partialText(partial));
}

/** Maximum number of file names in an answer; the count is always complete. */
const namedFiles = 50;

/** The answer about a session, with its id first. */
export function sessionEvaluationPayload(
  session: { readonly id: string; readonly workspace: Workspace },
  evaluation: Evaluation,
): Readonly<Record<string, unknown>> {
  return { session_id: session.id, ...evaluationPayload(session.workspace, evaluation) };
}

export function evaluationPayload(
  workspace: Workspace,
  evaluation: Evaluation,
): Readonly<Record<string, unknown>> {
  const verdict = verdictOf(evaluation);
  return {
    errors_introduced: findingsPayload(workspace, evaluation.introduced),
    errors_resolved: findingsPayload(workspace, evaluation.resolved),
    net_delta: evaluation.netDelta,
    scope: evaluation.scope,
    confidence: evaluation.confidence,
    timeout: evaluation.timedOut,
    duration_ms: Math.round(evaluation.durationMs),
    verdict: verdict.kind,
    errors_delta: evaluation.errorsDelta,
    warnings_delta: evaluation.warningsDelta,
    baseline_confidence: evaluation.baselineConfidence,
    server: {
      name: evaluation.server.name,
      ...(evaluation.server.version !== undefined && { version: shortVersion(evaluation.server.version) }),
    },
    settle: {
      mode: evaluation.settle.mode,
      ...(evaluation.settle.quietMs !== undefined && { quiet_ms: evaluation.settle.quietMs }),
    },
    way: evaluation.way,
    confinement: confinementPayload(evaluation.confinement),
    evaluated_files: {
      count: evaluation.evaluatedFiles.length,
      files: evaluation.evaluatedFiles.slice(0, namedFiles),
    },
    ...(evaluation.dependentsNotChecked !== undefined && {
      dependents_not_checked: evaluation.dependentsNotChecked,
    }),
    ...(evaluation.scope === 'file' && { coverage: fileCoverage(evaluation) }),
    doubts: evaluation.doubts,
  };
}

/** `not-confined` comes with the reason. */
function confinementPayload(confinement: Evaluation['confinement']): Readonly<Record<string, string>> {
  if (confinement.kind !== 'open') return { kind: confinement.kind };
  return { kind: 'not-confined', because: confinement.because };
}

export function findingsPayload(
  workspace: Workspace,
  findings: readonly Finding[],
): readonly Readonly<Record<string, unknown>>[] {
  return findings.map(({ path, diagnostic }) => {
    const start = toHuman(diagnostic.range.start);
    const end = toHuman(diagnostic.range.end);
    return {
      line: start.line,
      col: start.column,
      message: diagnostic.message,
      severity: diagnostic.severity,
      ...(diagnostic.source !== undefined && { source: diagnostic.source }),
      file: workspace.absolute(path),
      end_line: end.line,
      end_col: end.column,
      ...(diagnostic.code !== undefined && { code: diagnostic.code }),
    };
  });
}

/** The files that an evaluation in file scope covers, and those it does not. */
export function fileCoverage({ evaluatedFiles, dependentsNotChecked }: Evaluation): string {
  const where = evaluatedFiles.length === 1 ? 'in this file' : 'in the edited files';
  if (dependentsNotChecked === undefined)
    return `${where}; files that depend on it were neither counted nor checked`;
  if (dependentsNotChecked === 0) return `${where}; no other file is known to depend on it`;
  const files =
    dependentsNotChecked === 1 ? '1 file that depends' : `${dependentsNotChecked} files that depend`;
  return `${where}; ${files} on it not checked`;
}

/** The next step after a preview. */
export function evaluationHint(evaluation: Evaluation): string {
  const errors = evaluation.introduced.filter((finding) => finding.diagnostic.severity === 'error').length;
  if (errors > 0) return `fix the ${errors} error(s) this edit introduces before you apply it.`;
  if (evaluation.introduced.length > 0)
    return 'review the warnings this edit introduces, then call apply_edit.';
  if (evaluation.confinement.kind === 'refused') return evaluation.doubts.join(' ');
  if (verdictOf(evaluation).kind === 'unknown') {
    return 'no errors were seen, but that is not proved; evaluate again with a longer timeout_ms or with scope workspace.';
  }
  if (evaluation.scope === 'file') {
    return `no errors introduced ${fileCoverage(evaluation)}. Preview with scope workspace to check them, or call apply_edit to write the edit.`;
  }
  return 'no errors introduced; apply_edit writes the edit.';
}

/**
 * A server's version in a few characters. Some servers report a number, some a sentence, and gopls a whole build
 * report.
 *
 * Invariant: the result is one short line.
 */
const longest = 40;

export function shortVersion(stated: string): string {
  const version = stated.startsWith('{') ? versionInReport(stated) : stated;
  const number = /\d+(\.\d+)+[\w.+-]*/.exec(version)?.[0];
  return (number ?? version.split('\n')[0] ?? '').slice(0, longest);
}

function versionInReport(report: string): string {
  return /"Version":"([^"]+)"\}?$/.exec(report)?.[1] ?? /"Version":"([^"]+)"/.exec(report)?.[1] ?? report;
}
