/**
 * Judges what an overlay does to the diagnostics of its workspace, by every language server it concerns.
 *
 * Invariant: `clean` needs a clean verdict of every server and no file that went unjudged; a server that fails is a
 * doubt, never silence.
 */
import type { Judge, Judgement, Problem } from '../agent/judgement.ts';
import { Failure } from '../base/failure.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { Executor } from '../servers/executor.ts';
import { isData, isInert } from '../servers/file-bearing.ts';
import type { LanguageId } from '../servers/language.ts';
import { changesOf } from '../servers/overlay-effect.ts';
import { evaluateOverlay } from '../session/evaluate-overlay.ts';
import type { Evaluation, Finding } from '../session/evaluation.ts';
import { verdictOf } from '../session/verdict.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

const timeoutMs = 30_000;

export class ServerJudge implements Judge {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  async judge(_workspace: Workspace, overlay: Overlay, signal: AbortSignal): Promise<Judgement | undefined> {
    const changes = await changesOf(overlay);
    const paths = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
    const { languages, doubts } = await this.#languagesOf(paths, signal);
    const evaluations: Evaluation[] = [];
    for (const language of languages) {
      try {
        const request = { overlay, language, scope: 'workspace', timeoutMs } as const;
        evaluations.push(await evaluateOverlay(this.#executor, request, signal));
      } catch (thrown) {
        // One server that fails must not hide what the others found.
        if (!(thrown instanceof Failure)) throw thrown;
        doubts.push(thrown.message);
      }
    }
    return evaluations.length === 0 && doubts.length === 0 ? undefined : judgementOf(evaluations, doubts);
  }

  /** One language for each server that has a say; one server may speak several. */
  async #languagesOf(
    paths: readonly WorkspacePath[],
    signal: AbortSignal,
  ): Promise<{ readonly languages: Iterable<LanguageId>; readonly doubts: string[] }> {
    const servers = new Map<string, LanguageId>();
    const doubts: string[] = [];
    for (const path of paths) {
      if (isInert(path)) continue;
      try {
        const language = this.#executor.languageFor(path);
        const { definition } = await this.#executor.serverFor(language, signal);
        if (!servers.has(definition.name)) servers.set(definition.name, language);
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown;
        // What data means is judged by the servers of the programs that read it.
        if (!isData(path)) doubts.push(`${path}: ${thrown.message}`);
      }
    }
    return { languages: servers.values(), doubts };
  }
}

function judgementOf(evaluations: readonly Evaluation[], doubts: readonly string[]): Judgement {
  const verdicts = evaluations.map((evaluation) => verdictOf(evaluation).kind);
  const isUnknown = doubts.length > 0 || verdicts.includes('unknown');
  return {
    verdict: verdicts.includes('broken') ? 'broken' : isUnknown ? 'unknown' : 'clean',
    introduced: evaluations.flatMap(({ introduced }) => introduced.map(problemOf)),
    resolved: evaluations.flatMap(({ resolved }) => resolved.map(problemOf)),
    doubts: [...new Set([...doubts, ...evaluations.flatMap((evaluation) => evaluation.doubts)])],
  };
}

function problemOf({ path, diagnostic }: Finding): Problem {
  const { range, severity, message } = diagnostic;
  return { path, line: range.start.line + 1, column: range.start.character + 1, severity, message };
}
