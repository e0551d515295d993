/**
 * Every what-if of this user for the open workspace: sessions of all processes, as their store reports them.
 *
 * Invariants: a row is published when it appears, changes or goes, whichever process did that. Checks run one at a time
 * behind everything a person does, newest first, and never delay a row.
 */
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { SessionNotice, SessionStore } from '../session/session-store.ts';
import type { Future } from './future.ts';
import type { WireEvaluation } from './protocol/evaluation.ts';
import type { WhatIfRow } from './protocol/what-if.ts';
import { WhatIfEntry } from './what-if-entry.ts';

export interface WhatIfsParts {
  readonly live: LiveWorkspace;
  readonly store: SessionStore;
  readonly future: Future;
  readonly publish: (rows: readonly WhatIfRow[], removed: readonly string[]) => void;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Older ones are checked when they are opened. */
const checkedUnasked = 20;

export class WhatIfs implements AsyncDisposable {
  readonly #parts: WhatIfsParts;
  readonly #entries = new Map<string, WhatIfEntry>();
  readonly #disk: Disposable;
  readonly #watch: Promise<AsyncDisposable | undefined>;
  /** Notices are taken one after another. */
  #taking: Promise<void> = Promise.resolve();
  #checking: Promise<void> | undefined;
  /** The last commit that was made from here. */
  #undoable: string | undefined;

  constructor(parts: WhatIfsParts) {
    this.#parts = parts;
    this.#disk = parts.live.disk.changes.subscribe(() => this.#later(() => this.#diskChanged()));
    this.#watch = this.#start();
  }

  /** Every row, newest first. */
  get rows(): readonly WhatIfRow[] {
    return [...this.#entries.values()]
      .filter(({ isShown }) => isShown)
      .map(({ row }) => row)
      .sort((a, b) => b.at - a.at);
  }

  find(id: string): WhatIfEntry | undefined {
    return this.#entries.get(id);
  }

  /** What it does to the files as they are now. */
  async evaluate(entry: WhatIfEntry, signal: AbortSignal): Promise<WireEvaluation> {
    const known = entry.currentEvaluation;
    if (known) return known;
    const { live, future } = this.#parts;
    await live.syncWithDisk(signal);
    const { epoch } = live.disk;
    const { overlay } = entry;
    if (!overlay) return future.evaluate(live.emptyOverlay(), signal);
    entry.isChecking = true;
    this.#publish([entry]);
    try {
      const evaluation = await future.evaluate(overlay, signal);
      if (entry.overlay === overlay) entry.measured(evaluation, epoch);
      return evaluation;
    } finally {
      entry.isChecking = false;
      this.#publish([entry]);
    }
  }

  /** Says that a commit was made from here, which can be undone. */
  async committed(id: string): Promise<void> {
    this.#undoable = id;
    await this.#refreshUndo();
  }

  /** Says that the last commit was undone. */
  async undone(): Promise<void> {
    this.#undoable = undefined;
    await this.#refreshUndo();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disk[Symbol.dispose]();
    const watch = await this.#watch;
    await watch?.[Symbol.asyncDispose]();
    await this.#taking;
    await this.#checking;
  }

  async #start(): Promise<AsyncDisposable | undefined> {
    const { store, signal, log } = this.#parts;
    try {
      const watch = await store.watch((notice) => this.#later(() => this.#take(notice)), signal);
      for (const session of await store.list()) this.#later(() => this.#take({ kind: 'changed', session }));
      return watch;
    } catch (thrown) {
      if (!signal.aborted)
        log.error('what-if.unwatched', { code: 'editor/unwatched', error: messageOf(thrown) });
      return undefined;
    }
  }

  #later(work: () => Promise<void>): void {
    const { log, signal } = this.#parts;
    this.#taking = this.#taking.then(work).catch((thrown: unknown) => {
      if (!signal.aborted)
        log.error('what-if.failed', { code: 'editor/what-if-failed', error: messageOf(thrown) });
    });
  }

  async #take(notice: SessionNotice): Promise<void> {
    if (notice.kind === 'removed') {
      this.#remove(notice.id);
      return;
    }
    const { session } = notice;
    const { live, store } = this.#parts;
    if (session.workspaceRoot !== live.workspace.root) return;
    const known = this.#entries.get(session.id);
    const entry = known ?? new WhatIfEntry(live, session);
    await entry.load(store, session);
    if (session.end === 'discarded') {
      this.#remove(session.id);
      return;
    }
    this.#entries.set(session.id, entry);
    this.#publish([entry]);
    this.#check();
  }

  #remove(id: string): void {
    if (this.#entries.delete(id)) this.#parts.publish([], [id]);
  }

  async #diskChanged(): Promise<void> {
    for (const entry of this.#entries.values()) await entry.compareWithDisk();
    await this.#refreshUndo();
    this.#publish([...this.#entries.values()]);
    this.#check();
  }

  /** The last commit made from here can be undone while its files are the last that were written. */
  async #refreshUndo(): Promise<void> {
    const { live } = this.#parts;
    const paths = new Set<string>(await live.commits.undoable());
    for (const entry of this.#entries.values()) {
      const { files } = entry.row;
      const canUndo =
        entry.id === this.#undoable && files.length > 0 && files.every((path) => paths.has(path));
      if (entry.canUndo === canUndo) continue;
      entry.canUndo = canUndo;
      this.#publish([entry]);
    }
  }

  #publish(entries: readonly WhatIfEntry[]): void {
    const shown = entries.filter(({ isShown }) => isShown).map(({ row }) => row);
    if (shown.length > 0) this.#parts.publish(shown, []);
  }

  /** Checks what was not checked yet, until nothing is left. */
  #check(): void {
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined;
    });
  }

  async #checkAll(): Promise<void> {
    const { signal, log } = this.#parts;
    for (;;) {
      const next = this.rows
        .slice(0, checkedUnasked)
        .filter(({ status }) => status.kind === 'unchecked')
        .map(({ id }) => this.#entries.get(id))
        .find((entry) => entry?.stored.end === undefined);
      if (!next || signal.aborted) return;
      try {
        await this.evaluate(next, signal);
      } catch (thrown) {
        if (!signal.aborted)
          log.warning('what-if.unchecked', { code: 'editor/unchecked', error: messageOf(thrown) });
        return;
      }
      // A check that changed nothing would be made for ever.
      if (next.row.status.kind === 'unchecked') return;
    }
  }
}
