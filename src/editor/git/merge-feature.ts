/**
 * Merges before they happen: one run at a time, kept here so that a page may be closed meanwhile.
 *
 * Invariants: results are published as they come. A run that was cancelled or replaced publishes nothing afterwards.
 */

import { GitRepository } from '../../git/git-repository.ts';
import { mergeCandidates } from '../../git/merge-candidate.ts';
import { checkMerge } from '../../host/check/merge-check.ts';
import type { JudgedPart, MergeEvaluation, MergePair, SideOutcome } from '../../merge/merge-evaluation.ts';
import type { EditorContext } from '../editor-context.ts';
import { pageFailureOf } from '../editor-failure.ts';
import type { EditorFeature, Handlers } from '../editor-feature.ts';
import type { MergeAlone, MergeRun, WireMergePair } from '../protocol/merge.ts';
import type { ResultOf, Snapshot } from '../protocol.ts';
import { wireFindingOf } from '../wire-evaluation.ts';

type MergeMethod = 'merge.candidates' | 'merge.start' | 'merge.cancel';

/** A server may start and read the whole workspace for the first verdict. */
const judgeTimeoutMs = 120_000;

/** Conflicts sent of one pair; the count is whole. */
const sentConflicts = 50;

export class MergeFeature implements EditorFeature<MergeMethod> {
  readonly #context: EditorContext;
  #runs = 0;
  #shown: MergeRun | undefined;
  #abort = new AbortController();
  #startedAt = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(context: EditorContext) {
    this.#context = context;
  }

  readonly handlers: Handlers<MergeMethod> = {
    'merge.candidates': async (_params, _source, signal) => this.#candidates(signal),
    'merge.start': async ({ sides }, _source, signal) => this.#start([...new Set(sides)], signal),
    'merge.cancel': async () => {
      this.#end();
      return {};
    },
  };

  snapshot(): Pick<Snapshot, 'merge'> {
    return this.#shown ? { merge: this.#shown } : {};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort(new Error('the editor was closed'));
    await this.#running;
  }

  async #candidates(signal: AbortSignal): Promise<ResultOf<'merge.candidates'>> {
    const repository = await this.#repository(signal);
    const [branch, candidates] = await Promise.all([
      repository.branch(signal),
      mergeCandidates(repository, signal),
    ]);
    return { onto: branch ?? 'HEAD', candidates: candidates.map((candidate) => ({ ...candidate })) };
  }

  async #start(sides: readonly string[], signal: AbortSignal): Promise<ResultOf<'merge.start'>> {
    const repository = await this.#repository(signal);
    const [branch, commit] = await Promise.all([repository.branch(signal), repository.head(signal)]);
    this.#end();
    this.#runs += 1;
    this.#abort = new AbortController();
    this.#startedAt = Date.now();
    this.#show({
      run: this.#runs,
      onto: { name: branch ?? 'HEAD', commit },
      sides: sides.map((name) => ({ name })),
      pairs: [],
      state: { kind: 'checking' },
    });
    const before = this.#running;
    const { signal: own } = this.#abort;
    this.#running = before.then(() => this.#run(sides, own));
    return { run: this.#runs };
  }

  /** Ends what runs; what it found stays. */
  #end(): void {
    this.#abort.abort(new Error('cancelled'));
    const shown = this.#shown;
    if (shown?.state.kind !== 'checking') return;
    this.#show({ ...shown, state: { kind: 'cancelled', durationMs: Date.now() - this.#startedAt } });
  }

  /** Never fails: a failure is a state. */
  async #run(sides: readonly string[], own: AbortSignal): Promise<void> {
    const { forerun, live, signal: closing } = this.#context;
    const signal = AbortSignal.any([own, closing]);
    const request = {
      root: live.workspace.root,
      sides,
      directory: live.workspace.root,
      env: forerun.env,
      scope: 'workspace',
      timeoutMs: judgeTimeoutMs,
      onProgress: () => {},
      onJudged: (part: JudgedPart) => this.#judged(part, own),
    } as const;
    try {
      signal.throwIfAborted();
      this.#finished(await checkMerge(forerun, request, signal), own);
    } catch (thrown) {
      if (signal.aborted || !this.#shown) return;
      const { message, remedy } = pageFailureOf(thrown);
      this.#show({ ...this.#shown, state: { kind: 'failed', message, remedy } });
    }
  }

  #judged(part: JudgedPart, own: AbortSignal): void {
    const shown = this.#shown;
    if (own.aborted || !shown) return;
    if (part.kind === 'pair') this.#show({ ...shown, pairs: [...shown.pairs, wirePair(part.pair)] });
    else {
      const { index, side } = part;
      const sides = shown.sides.map((each, at) =>
        at === index ? { ...each, alone: wireAlone(side.alone) } : each,
      );
      this.#show({ ...shown, sides });
    }
  }

  #finished({ train }: MergeEvaluation, own: AbortSignal): void {
    if (own.aborted || !this.#shown) return;
    this.#show({
      ...this.#shown,
      train: { order: [...train.order], leftOut: train.leftOut.map((each) => ({ ...each })) },
      state: { kind: 'done', durationMs: Date.now() - this.#startedAt },
    });
  }

  #show(merge: MergeRun): void {
    this.#shown = merge;
    this.#context.publish({ kind: 'merge.changed', merge });
  }

  #repository(signal: AbortSignal): Promise<GitRepository> {
    const { live, forerun } = this.#context;
    return GitRepository.at(live.workspace.root, forerun.env, signal);
  }
}

function wireAlone(alone: SideOutcome): MergeAlone {
  if (alone.kind === 'conflict') return { kind: 'textual', paths: [...alone.paths] };
  const { verdict } = alone.check;
  switch (verdict.kind) {
    case 'clean':
      return { kind: 'clean' };
    case 'broken':
      return { kind: 'broken', errors: verdict.errors, in: [...verdict.in] };
    case 'unknown':
      return { kind: 'unknown', why: [...verdict.why] };
  }
}

function wirePair({ one, other, outcome }: MergePair): WireMergePair {
  switch (outcome.kind) {
    case 'clean':
      return { one, other, outcome: { kind: 'clean' } };
    case 'textual':
      return { one, other, outcome: { kind: 'textual', paths: [...outcome.paths] } };
    case 'unknown':
      return { one, other, outcome: { kind: 'unknown', why: [...outcome.why] } };
    case 'semantic': {
      const conflicts = outcome.conflicts.slice(0, sentConflicts).map((conflict) => ({
        finding: wireFindingOf(conflict.finding),
        ...(conflict.one && { one: conflict.one }),
        ...(conflict.other && { other: conflict.other }),
      }));
      return { one, other, outcome: { kind: 'semantic', count: outcome.conflicts.length, conflicts } };
    }
  }
}
