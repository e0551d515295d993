/**
 * Forerun's word on a change, asked in workspace scope of one warm process that has the pristine checkout open.
 *
 * Invariant: the checkout is never written.
 */
import { Failure } from '../../src/base/failure.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Evaluation, Finding } from '../../src/evaluation/evaluation.ts';
import { checkOverlay } from '../../src/evaluation/local-evaluator.ts';
import { WorkspaceRegistry } from '../../src/live/workspace-registry.ts';
import type { Overlay } from '../../src/overlay/overlay.ts';
import { renderPatch } from '../../src/overlay/patch.ts';
import type { Change } from '../support/changes/change.ts';
import { normaliseMessage, type Problem } from '../support/truth/problem.ts';

export interface ForerunAnswer {
  readonly verdict: 'clean' | 'broken' | 'unknown';
  /** `high` only where every server was sure of both sides and every file was judged. */
  readonly confidence: 'high' | 'lower';
  readonly introduced: readonly Problem[];
  readonly resolved: readonly Problem[];
  readonly doubts: readonly string[];
  readonly durationMs: number;
  /** The change as a unified diff, for whoever repeats it. */
  readonly patch: string;
}

export interface WarmOptions {
  readonly root: string;
  readonly timeoutMs: number;
  readonly trust: 'trusted' | 'untrusted';
}

export class WarmForerun implements AsyncDisposable {
  readonly #workspaces: WorkspaceRegistry;
  readonly #options: WarmOptions;

  constructor(options: WarmOptions) {
    this.#options = options;
    this.#workspaces = new WorkspaceRegistry({
      definitions: 'detect',
      poolSize: 1,
      trust: { trustOf: () => options.trust },
      env: process.env,
      log: silentLog,
    });
  }

  async ask(change: Change, signal: AbortSignal): Promise<ForerunAnswer> {
    const { root, timeoutMs } = this.#options;
    const { live, workspace } = await this.#workspaces.open(root, signal);
    let overlay: Overlay = live.emptyOverlay();
    for (const { path, after } of change.files) {
      const at = workspace.path(path);
      await overlay.read(at);
      overlay = after === undefined ? overlay.remove(at) : overlay.writeText(at, after);
    }
    const patch = await renderPatch(overlay);
    const start = performance.now();
    const check = await orFailure(() =>
      checkOverlay(live, { overlay, scope: 'workspace', timeoutMs }, signal),
    );
    const durationMs = Math.round(performance.now() - start);
    if (check instanceof Failure) return { ...noAnswer, doubts: [check.message], durationMs, patch };
    const { evaluations, unjudged, verdict } = check;
    const problems = (side: 'introduced' | 'resolved'): readonly Problem[] =>
      evaluations.flatMap((evaluation) => evaluation[side].map((finding) => problemOf(finding, root)));
    return {
      verdict: verdict.kind,
      confidence: unjudged.length === 0 && evaluations.every(isSure) ? 'high' : 'lower',
      introduced: problems('introduced').filter(isError),
      resolved: problems('resolved').filter(isError),
      doubts: [
        ...new Set([
          ...(verdict.kind === 'unknown' ? verdict.why : []),
          ...evaluations.flatMap(({ doubts }) => doubts),
          ...unjudged.map(({ paths, reason }) => `${paths.join(', ')}: ${reason}`),
        ]),
      ],
      durationMs,
      patch,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#workspaces[Symbol.asyncDispose]();
  }
}

/** What a front end would show instead of a verdict. */
const noAnswer = { verdict: 'unknown', confidence: 'lower', introduced: [], resolved: [] } as const;

async function orFailure<T>(work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
}

function isSure({ confidence, baselineConfidence, timedOut }: Evaluation): boolean {
  return confidence === 'high' && baselineConfidence === 'high' && !timedOut;
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

function problemOf({ path, diagnostic }: Finding, root: string): Problem {
  const { start } = diagnostic.range;
  return {
    path,
    line: start.line + 1,
    column: start.character + 1,
    severity: diagnostic.severity === 'error' ? 'error' : 'warning',
    code: diagnostic.code === undefined ? '' : String(diagnostic.code),
    message: normaliseMessage(diagnostic.message, root),
  };
}
