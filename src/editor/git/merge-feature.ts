/**
 * Merges before they happen: one run at a time, kept here so that a page may be closed meanwhile.
 *
 * Invariants: results are published as they come. A run that was cancelled or replaced publishes nothing afterwards.
 */

import { Failure } from '../../base/failure.ts';
import { currentBranch } from '../../git/branch.ts';
import { GitRepository } from '../../git/git-repository.ts';
import { mergeCandidates } from '../../git/merge-candidate.ts';
import { checkMerge, composeMerge } from '../../host/check/merge-check.ts';
import type { JudgedPart, MergeEvaluation, MergePair, SideOutcome } from '../../merge/merge-evaluation.ts';
import { sessionPrefix } from '../../merge/revision-merge.ts';
import { Overlay } from '../../overlay/overlay.ts';
import { Baseline } from '../../workspace/baseline.ts';
import type { EditorContext } from '../editor-context.ts';
import { pageFailureOf } from '../editor-failure.ts';
import type { EditorFeature, Handlers } from '../editor-feature.ts';
import type { MergeAlone, MergeRun, WireMergePair } from '../protocol/merge.ts';
import type { WhatIfRow } from '../protocol/what-if.ts';
import type { ResultOf, Snapshot } from '../protocol.ts';
import { wireFindingOf } from '../wire-evaluation.ts';

type MergeMethod = 'merge.candidates' | 'merge.start' | 'merge.cancel' | 'merge.compose';

/** A server may start and read the whole workspace for the first verdict. */
const judgeTimeoutMs = 120_000;

/** Conflicts sent of one pair; the count is whole. */
const sentConflicts = 50;

export class MergeFeature implements EditorFeature<MergeMethod> {
  readonly #context: EditorContext;
  readonly #whatIfs: () => readonly WhatIfRow[];
  #runs = 0;
  #shown: MergeRun | undefined;
  #abort = new AbortController();
  #startedAt = 0;
  #running: Promise<void> = Promise.resolve();

  /** `whatIfs`: those that can be merged. */
  constructor(context: EditorContext, whatIfs: () => readonly WhatIfRow[]) {
    this.#context = context;
    this.#whatIfs = whatIfs;
  }

  readonly handlers: Handlers<MergeMethod> = {
    'merge.candidates': async (_params, _source, signal) => this.#candidates(signal),
    'merge.start': async ({ sides }, _source, signal) => this.#start([...new Set(sides)], signal),
    'merge.cancel': async () => {
      this.#end();
      return {};
    },
    'merge.compose': ({ sides }, _source, signal) => this.#compose(sides, signal),
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
      currentBranch(repository, signal),
      mergeCandidates(repository, signal),
    ]);
    const whatIfs = this.#whatIfs().map(({ id, title, author, at }) => ({
      kind: 'what-if' as const,
      name: `${sessionPrefix}${id}`,
      title,
      author,
      at,
    }));
    return {
      onto: branch ?? 'HEAD',
      candidates: [...candidates.map((candidate) => ({ ...candidate })), ...whatIfs],
    };
  }

  #titled(name: string): { readonly name: string; readonly title?: string } {
    const found = this.#whatIfs().find(({ id }) => name === `${sessionPrefix}${id}`);
    return { name, ...(found && { title: found.title }) };
  }

  async #compose(indexes: readonly number[], signal: AbortSignal): Promise<ResultOf<'merge.compose'>> {
    const { forerun, live, connection } = this.#context;
    const sides = indexes.flatMap((index) => this.#shown?.sides[index] ?? []);
    if (sides.length < indexes.length) throw new NoSuchSides();
    const { root } = live.workspace;
    const request = { root, directory: root, env: forerun.env, sides: sides.map(({ name }) => name) };
    const composed = await composeMerge(forerun, request, signal);
    if (composed.kind === 'conflict') return { kind: 'conflict', paths: [...composed.paths] };
    const names = sides.map(({ name, title }) => title ?? name).join(', ');
    const overlay = Overlay.on(new Baseline(live.disk.source)).writeAll(composed.overlay.layer());
    const kept = { live, overlay, author: 'you', title: `Merge of ${names}` };
    return { kind: 'done', id: (await connection.sessions.keep(kept, signal)).id };
  }

  async #start(sides: readonly string[], signal: AbortSignal): Promise<ResultOf<'merge.start'>> {
    const repository = await this.#repository(signal);
    const [branch, commit] = await Promise.all([currentBranch(repository, signal), repository.head(signal)]);
    this.#end();
    this.#runs += 1;
    this.#abort = new AbortController();
    this.#startedAt = Date.now();
    this.#show({
      run: this.#runs,
      onto: { name: branch ?? 'HEAD', commit },
      sides: sides.map((name) => this.#titled(name)),
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
    const { sides } = this.#shown;
    const titled = (why: string): string =>
      sides.reduce((words, { name, title }) => (title ? words.replaceAll(name, title) : words), why);
    const leftOut = train.leftOut.map(({ side, why }) => ({ side, why: titled(why) }));
    this.#show({
      ...this.#shown,
      train: { order: [...train.order], leftOut },
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

class NoSuchSides extends Failure {
  readonly code = 'editor/no-such-sides';
  readonly remedy = 'Check the merges again.';

  constructor() {
    super('this merge is not shown any more');
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
