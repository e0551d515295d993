/**
 * The answer of the hook, in the format of its client.
 *
 * Invariant: only an observed error denies an edit. Otherwise the decision stays with the client: a passed check does
 * not replace a permission question to the user, unless they chose so.
 */
import type { Evaluation, Finding } from '../../evaluation/evaluation.ts';
import type { ProposalCheck } from '../../host/check/proposal-check.ts';
import { counted } from '../../text/counted-noun.ts';
import { fileCoverage } from '../../tools/evaluation-payload.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { HookDialect } from './edit-event.ts';

export interface HookAnswer {
  /** For standard output; may be empty. */
  readonly output: string;
  readonly code: ExitCode;
}

export interface AnswerOptions {
  readonly dialect: HookDialect;
  /** Whether a proved edit is approved without the client asking its user. */
  readonly proved: 'approve' | 'leave';
}

export function answerOf(
  { verdict, evaluation, untrusted }: ProposalCheck,
  options: AnswerOptions,
): HookAnswer {
  const errors = evaluation.introduced.filter(({ diagnostic }) => diagnostic.severity === 'error');
  const isDenied = verdict.kind === 'broken';
  const note = isDenied ? denial(errors) : passing(verdict.kind, evaluation);
  const decision = isDenied
    ? 'deny'
    : verdict.kind === 'clean' && options.proved === 'approve'
      ? 'allow'
      : undefined;
  if (options.dialect === 'claude') {
    const reason =
      decision === undefined
        ? { additionalContext: note }
        : { permissionDecision: decision, permissionDecisionReason: note };
    // Claude Code reads the decision from JSON, and reads JSON only if the hook exits with 0.
    const hookSpecificOutput = { hookEventName: 'PreToolUse', ...reason };
    return { output: `${JSON.stringify({ hookSpecificOutput })}\n`, code: exitCodes.good };
  }
  const report = {
    decision: isDenied ? 'deny' : 'allow',
    verdict: verdict.kind,
    reason: note,
    errors: errors.map(({ path, diagnostic: { range, message, code } }) => ({
      file: path,
      line: range.start.line + 1,
      column: range.start.character + 1,
      message,
      ...(code !== undefined && { code }),
    })),
    duration_ms: Math.round(evaluation.durationMs),
    ...(untrusted && { untrusted }),
  };
  return { output: `${JSON.stringify(report)}\n`, code: isDenied ? exitCodes.bad : exitCodes.good };
}

/** The edit cannot be judged, so it is not prevented. */
export function openAnswer(dialect: HookDialect, reason: string): HookAnswer {
  if (dialect === 'claude') return { output: '', code: exitCodes.good };
  const report = { decision: 'allow', verdict: 'unknown', reason, errors: [] };
  return { output: `${JSON.stringify(report)}\n`, code: exitCodes.good };
}

const shownErrors = 10;

function denial(errors: readonly Finding[]): string {
  const shown = errors.slice(0, shownErrors).map(({ path, diagnostic }) => {
    const { line, character } = diagnostic.range.start;
    return `${path}:${line + 1}:${character + 1} ${diagnostic.message.split('\n')[0]}`;
  });
  const rest = errors.length - shown.length;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  const head = `This edit would introduce ${counted(errors.length, 'error')}; nothing was written:`;
  return [head, ...shown, ...more].join('\n');
}

function passing(kind: 'clean' | 'unknown', evaluation: Evaluation): string {
  if (kind === 'unknown') return 'Checked by Forerun: no errors were seen, but their absence is not proved.';
  if (evaluation.scope === 'file') {
    return `Checked by Forerun: this edit introduces no errors ${fileCoverage(evaluation)}.`;
  }
  const files = counted(evaluation.evaluatedFiles.length, 'file');
  return `Checked by Forerun: this edit introduces no errors (proved over ${files}).`;
}
