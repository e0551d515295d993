/**
 * What-ifs on the wire: shown, checked, committed, discarded, undone, taken into the buffers, ranked.
 *
 * Invariants: a commit writes all files or none, and never over what its change was not made on. A discarded what-if can
 * be restored for as long as the editor runs.
 */

import type { Verdict } from '../evaluation/evaluation.ts';
import { meritOf, rankBy } from '../evaluation/ranking.ts';
import type { FileChange, Overlay } from '../overlay/overlay.ts';
import { SessionConflict } from '../session/failure.ts';
import type { CommandRecord, SessionDetails } from '../session/session-details.ts';
import { rankReason } from '../tools/what-if/rank-reason.ts';
import { Baseline } from '../workspace/baseline.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Buffers } from './buffers.ts';
import type { EditApplier } from './edit-applier.ts';
import type { EditorContext } from './editor-context.ts';
import { NoStore, NotUndoable, NoWhatIf } from './editor-failure.ts';
import type { EditorFeature, Handlers } from './editor-feature.ts';
import type { Future } from './future.ts';
import type { WireEvaluation } from './protocol/evaluation.ts';
import type { WhatIfRow } from './protocol/what-if.ts';
import type { ResultOf, Snapshot } from './protocol.ts';
import { rebased, shownFile, sizeOf } from './what-if-change.ts';
import type { WhatIfEntry } from './what-if-entry.ts';
import { takeIntoBuffers } from './what-if-take.ts';
import { WhatIfs } from './what-ifs.ts';

type WhatIfMethod = Extract<keyof Handlers, `whatif.${string}`>;

export interface WhatIfFeatureParts {
  readonly buffers: Buffers;
  readonly applier: EditApplier;
  readonly future: Future;
}

interface Discarded extends SessionDetails {
  readonly overlay: Overlay;
}

/** A change that can be shown, compared and ranked. */
interface Subject {
  readonly id: string;
  readonly row: WhatIfRow;
  readonly changes: readonly FileChange[];
  readonly commands: readonly CommandRecord[];
  evaluate(signal: AbortSignal): Promise<WireEvaluation | undefined>;
}

/** The id of the unsaved text. */
const unsavedId = 'unsaved';

/** How many discarded what-ifs can be restored. */
const keptDiscarded = 50;

export class WhatIfFeature implements EditorFeature<WhatIfMethod> {
  readonly #context: EditorContext;
  readonly #parts: WhatIfFeatureParts;
  readonly #whatIfs: WhatIfs | undefined;
  readonly #discarded = new Map<string, Discarded>();
  readonly #unsaved: Disposable;

  constructor(context: EditorContext, parts: WhatIfFeatureParts) {
    const { live, connection, log, signal } = context;
    const { store } = connection.sessions;
    const publish = (rows: readonly WhatIfRow[], removed: readonly string[]): void =>
      context.publish({ kind: 'whatif.changed', rows: [...rows], removed: [...removed] });
    this.#context = context;
    this.#parts = parts;
    this.#whatIfs = store && new WhatIfs({ live, store, future: parts.future, publish, log, signal });
    this.#unsaved = parts.future.settled.subscribe(() => {
      const row = this.#unsavedRow();
      publish(row ? [row] : [], row ? [] : [unsavedId]);
    });
  }

  readonly handlers: Handlers<WhatIfMethod> = {
    'whatif.show': ({ id }) => this.#show(id),
    'whatif.check': async ({ id }, _source, signal) => {
      const evaluation = await (await this.#subject(id)).evaluate(signal);
      if (!evaluation) throw new NoWhatIf(id);
      return evaluation;
    },
    'whatif.commit': ({ id }) => this.#commit(id),
    'whatif.discard': async ({ ids }) => {
      for (const id of ids) await this.#discard(this.#entry(id));
      return {};
    },
    'whatif.restore': ({ id }) => this.#restore(id),
    'whatif.undo': ({ id }) => this.#undo(id),
    'whatif.take': ({ id }) => this.#take(id),
    'whatif.rebase': ({ id }) => this.#rebase(id),
    'whatif.rank': ({ ids }, _source, signal) => this.#rank(ids, signal),
  };

  /** The sessions that are not committed. */
  get open(): readonly WhatIfRow[] {
    return (this.#whatIfs?.rows ?? []).filter(
      ({ kind, group }) => kind === 'session' && group !== 'committed',
    );
  }

  snapshot(): Pick<Snapshot, 'whatIfs'> {
    const unsaved = this.#unsavedRow();
    return { whatIfs: [...(unsaved ? [unsaved] : []), ...(this.#whatIfs?.rows ?? [])] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsaved[Symbol.dispose]();
    await this.#whatIfs?.[Symbol.asyncDispose]();
  }

  async #show(id: string): Promise<ResultOf<'whatif.show'>> {
    const { row, changes, commands } = await this.#subject(id);
    const evaluation =
      id === unsavedId ? this.#parts.future.last : this.#whatIfs?.find(id)?.currentEvaluation;
    return {
      row,
      ...(evaluation && { evaluation }),
      commands: commands.map(({ command, ran, passed, durationMs, testsRun }) => ({
        command,
        ran,
        passed,
        ...(durationMs !== undefined && { durationMs }),
        ...(testsRun !== undefined && { testsRun }),
      })),
      files: changes.map(shownFile),
    };
  }

  async #commit(id: string): Promise<ResultOf<'whatif.commit'>> {
    const { connection, signal } = this.#context;
    const entry = this.#entry(id);
    const session = await connection.sessions.reach(id, signal);
    const paths = entry.changes.map(({ path }) => path);
    try {
      const destination = { kind: 'disk', onConflict: 'refuse' } as const;
      await session.commit({ destination, patchFormat: 'unified' }, signal);
    } catch (thrown) {
      if (!(thrown instanceof SessionConflict)) throw thrown;
      await entry.compareWithDisk();
      return { kind: 'conflict', paths: [...thrown.paths] };
    }
    await this.#whatIfs?.committed(id);
    return { kind: 'done', paths };
  }

  async #discard(entry: WhatIfEntry): Promise<void> {
    const { connection, signal } = this.#context;
    const { overlay, stored } = entry;
    const session = await connection.sessions.reach(entry.id, signal);
    await session.discard(signal);
    if (!overlay) return;
    this.#discarded.set(entry.id, { overlay, author: stored.author, title: stored.title });
    const [oldest] = this.#discarded.keys();
    if (this.#discarded.size > keptDiscarded && oldest !== undefined) this.#discarded.delete(oldest);
  }

  async #restore(id: string): Promise<ResultOf<'whatif.restore'>> {
    const { connection, live, signal } = this.#context;
    const kept = this.#discarded.get(id);
    if (!kept) throw new NoWhatIf(id);
    const session = await connection.sessions.keep({ live, ...kept }, signal);
    this.#discarded.delete(id);
    return { id: session.id };
  }

  async #undo(id: string): Promise<ResultOf<'whatif.undo'>> {
    const { live, signal } = this.#context;
    const entry = this.#entry(id);
    if (!entry.canUndo) throw new NotUndoable(entry.row.title);
    const paths = await live.commits.undoable();
    const outcome = await live.commits.undo(signal);
    if (outcome.kind === 'nothing') throw new NotUndoable(entry.row.title);
    if (outcome.kind === 'conflict') return { kind: 'conflict', paths: [...outcome.paths] };
    await this.#whatIfs?.undone();
    return { kind: 'done', paths: [...paths] };
  }

  async #take(id: string): Promise<ResultOf<'whatif.take'>> {
    const { buffers, applier } = this.#parts;
    const parts = { buffers, applier, disk: this.#context.live.disk.source };
    const { kind, paths } = await takeIntoBuffers(this.#entry(id).changes, parts);
    return { kind, paths: [...paths] };
  }

  async #rebase(id: string): Promise<ResultOf<'whatif.rebase'>> {
    const { connection, live, signal } = this.#context;
    const entry = this.#entry(id);
    await live.syncWithDisk(signal);
    const outcome = await rebased(entry.changes, new Baseline(live.disk.source));
    if (outcome.kind === 'conflict') return { kind: 'conflict', paths: [...outcome.paths] };
    const { author } = entry.stored;
    const { title } = entry.row;
    const session = await connection.sessions.keep({ live, overlay: outcome.overlay, author, title }, signal);
    await this.#discard(entry);
    return { kind: 'done', id: session.id };
  }

  async #rank(ids: readonly string[], signal: AbortSignal): Promise<ResultOf<'whatif.rank'>> {
    const ways = await Promise.all(
      [...new Set(ids)].map(async (id) => {
        const subject = await this.#subject(id);
        return { subject, evaluation: await subject.evaluate(signal) };
      }),
    );
    const ranked = rankBy(ways, ({ subject, evaluation }) => {
      if (!evaluation) return undefined;
      const { introducedErrors, resolved } = evaluation.counts;
      const isFailed = subject.commands.some(({ passed }) => !passed);
      const verdict = isFailed ? 'broken' : evaluation.verdict.kind;
      return { ...meritOf(verdict, [], subject.changes), introducedErrors, resolved };
    });
    return {
      ranked: ranked.map(({ subject: { id, commands }, evaluation, rank }) => ({
        id,
        rank,
        reason: evaluation
          ? rankReason({ verdict: verdictIn(evaluation), resolved: evaluation.counts.resolved, commands })
          : 'not checked',
        ...(evaluation && { evaluation }),
      })),
    };
  }

  #entry(id: string): WhatIfEntry {
    if (!this.#whatIfs) throw new NoStore();
    const entry = this.#whatIfs.find(id);
    if (!entry) throw new NoWhatIf(id);
    return entry;
  }

  async #subject(id: string): Promise<Subject> {
    if (id !== unsavedId) {
      const entry = this.#entry(id);
      const { row, changes, stored } = entry;
      const evaluate = async (signal: AbortSignal) => this.#whatIfs?.evaluate(entry, signal);
      return { id, row, changes, commands: stored.commands ?? [], evaluate };
    }
    const row = this.#unsavedRow();
    if (!row) throw new NoWhatIf(id);
    const changes = await this.#parts.buffers.overlay().changes();
    const sizes = changes.map(sizeOf);
    const added = sizes.reduce((sum, size) => sum + size.added, 0);
    const removed = sizes.reduce((sum, size) => sum + size.removed, 0);
    const evaluate = (signal: AbortSignal) => this.#parts.future.current(signal);
    return { id, row: { ...row, added, removed }, changes, commands: [], evaluate };
  }

  #unsavedRow(): WhatIfRow | undefined {
    const { buffers, future } = this.#parts;
    const files = buffers.all.filter(({ isUnsaved }) => isUnsaved).map(({ path }): WorkspacePath => path);
    if (files.length === 0) return undefined;
    const { state } = future;
    return {
      id: unsavedId,
      kind: 'unsaved',
      group: 'yours',
      title: 'Unsaved text',
      author: 'you',
      at: Date.now(),
      files,
      added: 0,
      removed: 0,
      status:
        state.kind === 'checked'
          ? { kind: 'checked', verdict: state.evaluation.verdict, isProved: state.evaluation.isProved }
          : { kind: state.kind === 'checking' ? 'checking' : 'unchecked' },
      canUndo: false,
      commands: { passed: 0, failed: 0 },
    };
  }
}

function verdictIn({ verdict, introduced }: WireEvaluation): Verdict {
  if (verdict.kind !== 'broken') return verdict;
  return { kind: 'broken', errors: verdict.errors || introduced.length, in: [] };
}
