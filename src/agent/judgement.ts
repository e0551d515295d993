/**
 * What an edit does to the diagnostics of its workspace, as the model is told it.
 *
 * Invariant: what was not proved is never told as clean.
 */
import type { Overlay } from '../overlay/overlay.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The port behind which language servers judge an overlay. */
export interface Judge {
  /**
   * What the overlay introduces and resolves in what lies directly beneath it; undefined where no server has a say in
   * the files it changes.
   */
  judge(workspace: Workspace, overlay: Overlay, signal: AbortSignal): Promise<Judgement | undefined>;
}

export interface Judgement {
  readonly verdict: 'clean' | 'broken' | 'unknown';
  readonly introduced: readonly Problem[];
  readonly resolved: readonly Problem[];
  /** Why it is not known, in sentences. */
  readonly doubts: readonly string[];
}

export interface Problem {
  readonly path: string;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
}

const mostProblems = 20;

/** The paragraph that follows the result of an edit. */
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
  unknown: 'not proved; do not take it for clean',
};

function lineOf({ path, line, column, severity, message }: Problem): string {
  return `${path}:${line}:${column} ${severity}: ${message.split('\n')[0]}`;
}
