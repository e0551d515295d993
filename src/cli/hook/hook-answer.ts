/**
 * What the hook says to whoever asked, in their dialect.
 *
 * Invariant: only an error that was seen denies an edit. Everything else leaves the decision where it was: a check that
 * passed does not answer a permission question that the user was going to be asked, unless they said so.
 */
import type { Evaluation, Finding } from '../../evaluation/evaluation.ts';
import type { ProposalCheck } from '../../host/check/proposal-check.ts';
import { counted } from '../../text/counted-noun.ts';
import { fileCoverage } from '../../tools/evaluation-payload.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { HookDialect } from './edit-event.ts';

export interface HookAnswer {
  /** For standard output; empty where there is nothing to say. */
  readonly output: string;
  readonly code: ExitCode;
}

export interface AnswerOptions {
  readonly dialect: HookDialect;
  /** Whether a proved edit is approved outright, without the client asking its user. */
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
    // Claude Code reads the decision from the JSON, and reads JSON only from a hook that ended well.
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

/** Nothing can be said about the edit, so nothing stands in its way. */
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
  if (kind === 'unknown') return 'Checked ahead: no errors were seen, but their absence is not proved.';
  if (evaluation.scope === 'file') {
    return `Checked ahead: this edit introduces no errors ${fileCoverage(evaluation)}.`;
  }
  const files = counted(evaluation.evaluatedFiles.length, 'file');
  return `Checked ahead: this edit introduces no errors (proved over ${files}).`;
}
