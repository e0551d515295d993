/** Evaluates overlays for the agent and its speculations, by every language server they affect. */
import type { Judge, Judgement, Problem } from '../../agent/judgement.ts';
import type { Finding } from '../../evaluation/evaluation.ts';
import { EvaluationStale } from '../../evaluation/evaluation-failure.ts';
import type { Evaluator } from '../../evaluation/evaluator.ts';
import type { OverlayCheck } from '../../evaluation/local-evaluator.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import type { Workspace } from '../../workspace/workspace.ts';

const timeoutMs = 30_000;

export class ServerJudge implements Judge {
  readonly #evaluator: Evaluator;

  constructor(evaluator: Evaluator) {
    this.#evaluator = evaluator;
  }

  async judge(workspace: Workspace, overlay: Overlay, signal: AbortSignal): Promise<Judgement | undefined> {
    const request = { workspace, overlay, scope: 'workspace', timeoutMs, against: 'beneath' } as const;
    const outcome = await this.#evaluator.evaluate({ ...request, caller: 'agent' }, signal);
    if (outcome.kind === 'stale') throw new EvaluationStale(outcome.paths);
    return outcome.evaluations.length === 0 && outcome.unjudged.length === 0
      ? undefined
      : judgementOf(outcome);
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
