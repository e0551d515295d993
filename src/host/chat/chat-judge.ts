/** What the agent and its speculations are told of an overlay: the word of every language server it concerns. */
import type { Judge, Judgement, Problem } from '../../agent/judgement.ts';
import type { Finding } from '../../evaluation/evaluation.ts';
import { checkOverlay, type OverlayCheck } from '../../evaluation/overlay-check.ts';
import type { LiveWorkspace } from '../../live/live-workspace.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import type { Workspace } from '../../workspace/workspace.ts';

const timeoutMs = 30_000;

export class ServerJudge implements Judge {
  readonly #live: LiveWorkspace;

  constructor(live: LiveWorkspace) {
    this.#live = live;
  }

  async judge(_workspace: Workspace, overlay: Overlay, signal: AbortSignal): Promise<Judgement | undefined> {
    const request = { overlay, scope: 'workspace', timeoutMs, against: 'beneath' } as const;
    const check = await checkOverlay(this.#live, request, signal);
    return check.evaluations.length === 0 && check.unjudged.length === 0 ? undefined : judgementOf(check);
  }
}

function judgementOf({ verdict, evaluations, unjudged }: OverlayCheck): Judgement {
  const doubts = [
    ...unjudged.map(({ paths, reason }) => `${paths.join(', ')}: ${reason}`),
    ...evaluations.flatMap((evaluation) => evaluation.doubts),
  ];
  return {
    verdict: verdict.kind,
    introduced: evaluations.flatMap(({ introduced }) => introduced.map(problemOf)),
    resolved: evaluations.flatMap(({ resolved }) => resolved.map(problemOf)),
    doubts: [...new Set(doubts)],
  };
}

function problemOf({ path, diagnostic }: Finding): Problem {
  const { range, severity, message } = diagnostic;
  return { path, line: range.start.line + 1, column: range.start.character + 1, severity, message };
}
