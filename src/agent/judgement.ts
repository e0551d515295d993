/**
 * The effect of an edit on the diagnostics of its workspace, as reported to the model.
 *
 * Invariant: an unproved result is never reported as clean.
 */
import type { Overlay } from '../overlay/overlay.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Judges an overlay with language servers. */
export interface Judge {
  /**
   * The diagnostics that the overlay introduces and resolves relative to its base; undefined if no server handles the
   * changed files.
   */
  judge(workspace: Workspace, overlay: Overlay, signal: AbortSignal): Promise<Judgement | undefined>;
}

export interface Judgement {
  readonly verdict: 'clean' | 'broken' | 'unknown';
  readonly introduced: readonly Problem[];
  readonly resolved: readonly Problem[];
  /** Reasons why the result is not proved, as sentences. */
  readonly doubts: readonly string[];
}

export interface Problem {
  readonly path: string;
  /** Line and column start at 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
}

const mostProblems = 20;

/** The paragraph appended to the result of an edit. */
export function renderJudgement({ verdict, introduced, resolved, doubts }: Judgement): string {
  const counted = [
    introduced.length > 0 ? `${introduced.length} introduced` : '',
    resolved.length > 0 ? `${resolved.length} resolved` : '',
  ].filter((part) => part !== '');
  const head = `Diagnostics: ${headlines[verdict]}${counted.length > 0 ? ` (${counted.join(', ')})` : ''}.`;
  const left = introduced.length - mostProblems;
  return [
    head,
    ...introduced.slice(0, mostProblems).map((problem) => `+ ${lineOf(problem)}`),
    ...(left > 0 ? [`+ … and ${left} more`] : []),
    ...resolved.slice(0, mostProblems).map((problem) => `- ${lineOf(problem)}`),
    ...(verdict === 'unknown' ? doubts.map((doubt) => `? ${doubt}`) : []),
  ].join('\n');
}

const headlines: Readonly<Record<Judgement['verdict'], string>> = {
  clean: 'clean, proved for this text',
  broken: 'this introduces errors',
  unknown: 'not proved; do not treat it as clean',
};

function lineOf({ path, line, column, severity, message }: Problem): string {
  return `${path}:${line}:${column} ${severity}: ${message.split('\n')[0]}`;
}
