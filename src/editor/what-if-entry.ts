/**
 * One stored session as a what-if.
 *
 * Invariant: the text that its change was made on is read once, when the session is first seen, and kept: with it the
 * change can be made again after the files have changed.
 */
import { messageOf } from '../base/failure.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { FileChange, Overlay } from '../overlay/overlay.ts';
import type { StoredSession } from '../session/session-record.ts';
import type { SessionStore } from '../session/session-store.ts';
import { filesTitle } from '../tools/what-if/files-title.ts';
import { Baseline } from '../workspace/baseline.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { WireEvaluation } from './protocol/evaluation.ts';
import type { WhatIfRow } from './protocol/what-if.ts';
import { changedBase, sizeOf } from './what-if-change.ts';
import { wireStoredEvaluation } from './wire-evaluation.ts';

export class WhatIfEntry {
  readonly id: string;
  readonly #live: LiveWorkspace;
  readonly #base: Baseline;
  #stored: StoredSession;
  #overlay: Overlay | undefined;
  #changes: readonly FileChange[] = [];
  #unreadable: string | undefined;
  #changedBase: readonly WorkspacePath[] = [];
  /** Measured here, on the disk of an epoch. */
  #measured:
    | { readonly evaluation: WireEvaluation; readonly epoch: number; readonly revision: number }
    | undefined;
  isChecking = false;
  canUndo = false;

  constructor(live: LiveWorkspace, stored: StoredSession) {
    this.id = stored.id;
    this.#live = live;
    this.#stored = stored;
    this.#base = new Baseline(live.disk.source);
  }

  get stored(): StoredSession {
    return this.#stored;
  }

  get overlay(): Overlay | undefined {
    return this.#overlay;
  }

  get changes(): readonly FileChange[] {
    return this.#changes;
  }

  /** Files that it changes and that have changed on disk since. */
  get baseChangedIn(): readonly WorkspacePath[] {
    return this.#changedBase;
  }

  /** Takes over what its owner stored. */
  async load(store: SessionStore, stored: StoredSession): Promise<void> {
    this.#stored = stored;
    if (stored.end !== undefined) return;
    try {
      this.#overlay = await store.overlayOf(stored, this.#base);
      this.#changes = await this.#overlay.changes();
      this.#unreadable = undefined;
    } catch (thrown) {
      this.#overlay = undefined;
      this.#unreadable = messageOf(thrown);
    }
    await this.compareWithDisk();
  }

  async compareWithDisk(): Promise<void> {
    this.#changedBase = await changedBase(this.#changes, this.#live.disk.source);
  }

  measured(evaluation: WireEvaluation, epoch: number): void {
    this.#measured = { evaluation, epoch, revision: this.#stored.revision };
  }

  /** Measured on the files as they are now; undefined if it was not. */
  get currentEvaluation(): WireEvaluation | undefined {
    const known = this.#measured;
    const isCurrent = known?.epoch === this.#live.disk.epoch && known.revision === this.#stored.revision;
    return isCurrent ? known.evaluation : undefined;
  }

  /** Whether a person has anything to look at. */
  get isShown(): boolean {
    if (this.#stored.end === 'committed') return isToday(this.#stored.endedAt);
    return this.#stored.end === undefined && this.#stored.edits.length > 0;
  }

  get row(): WhatIfRow {
    const { id, author = 'an agent', title, createdAt, end, endedAt, edits, commands = [] } = this.#stored;
    const files =
      this.#changes.length > 0
        ? this.#changes.map(({ path }) => path)
        : [...new Set(edits.map(({ path }) => path))];
    const sizes = this.#changes.map(sizeOf);
    return {
      id,
      kind: 'session',
      group: end === 'committed' ? 'committed' : author === 'you' ? 'yours' : 'agents',
      title: title ?? filesTitle(files),
      author,
      at: end === 'committed' ? (endedAt ?? createdAt) : createdAt,
      files,
      added: sizes.reduce((sum, { added }) => sum + added, 0),
      removed: sizes.reduce((sum, { removed }) => sum + removed, 0),
      status: this.#status,
      canUndo: this.canUndo,
      commands: {
        passed: commands.filter(({ passed }) => passed).length,
        failed: commands.filter(({ passed }) => !passed).length,
      },
    };
  }

  get #status(): WhatIfRow['status'] {
    const { end, evaluation } = this.#stored;
    if (this.#unreadable !== undefined) return { kind: 'unreadable', reason: this.#unreadable };
    if (end === undefined && this.#changedBase.length > 0) {
      return { kind: 'base-changed', paths: [...this.#changedBase] };
    }
    const known =
      this.currentEvaluation ??
      (evaluation?.evaluation.scope === 'workspace' ? wireStoredEvaluation(evaluation) : undefined);
    if (known) return { kind: 'checked', verdict: known.verdict, isProved: known.isProved };
    return { kind: this.isChecking ? 'checking' : 'unchecked' };
  }
}

function isToday(at: number | undefined): boolean {
  return at !== undefined && new Date(at).toDateString() === new Date().toDateString();
}
