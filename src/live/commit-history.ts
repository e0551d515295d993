/**
 * Every commit of this process to one workspace, and how to undo it.
 *
 * Invariants: every commit passes through here, one at a time; servers are notified of a commit before its caller
 * continues; a commit is undone at most once, the last one first, and never over content that another process has
 * written since.
 */
import { FifoLock } from '../base/fifo-lock.ts';
import {
  type CommitOutcome,
  commitChanges,
  commitOverlay,
  type OverlayCommitOptions,
  writeContents,
} from '../overlay/commit/commit.ts';
import { type FileChange, Overlay } from '../overlay/overlay.ts';
import { changesOf } from '../servers/projection.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { inverseOf } from './internal/commit-inverse.ts';

export type UndoOutcome = CommitOutcome | { readonly kind: 'nothing' };

/** How many commits can be undone; the replaced contents of older ones are dropped. */
const rememberedCommits = 20;

export class CommitHistory {
  readonly #disk: DiskState;
  readonly #stateDirectory: string;
  readonly #lock = new FifoLock();
  readonly #inverses: Overlay[] = [];

  /** Journals of commits are kept in `stateDirectory`. */
  constructor(disk: DiskState, stateDirectory: string) {
    this.#disk = disk;
    this.#stateDirectory = stateDirectory;
  }

  /** Commits an overlay and remembers how to undo it. */
  async commit(overlay: Overlay, options: OverlayCommitOptions, signal: AbortSignal): Promise<CommitOutcome> {
    using _held = await this.#lock.acquire(signal);
    const changes = await this.#replaced(overlay, options);
    const inverse = inverseOf(this.#disk, changes);
    const journaled = { ...options, stateDirectory: this.#stateDirectory };
    const written = options.onConflict === 'refuse' ? changes : await overlay.changes('stack');
    const outcome = await commitChanges(this.#disk.workspace, written, journaled, signal);
    if (outcome.kind === 'conflict' || changes.length === 0) return outcome;
    this.#inverses.push(inverse);
    if (this.#inverses.length > rememberedCommits) this.#inverses.shift();
    this.#disk.report(changes.flatMap(eventsOf));
    return outcome;
  }

  /** Writes the changed files below another directory; the workspace is unchanged, and there is nothing to undo. */
  writeInto(
    directory: string,
    overlay: Overlay,
    options: OverlayCommitOptions,
    signal: AbortSignal,
  ): Promise<CommitOutcome> {
    return writeContents(directory, overlay, { ...options, stateDirectory: this.#stateDirectory }, signal);
  }

  /** Every path that the next undo would write, remove or move. */
  async undoable(): Promise<readonly WorkspacePath[]> {
    const changes = (await this.#inverses.at(-1)?.changes()) ?? [];
    return [...new Set(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])))];
  }

  /** Undoes the last commit. If its files have changed since, it cannot be undone and stays the last. */
  async undo(signal: AbortSignal): Promise<UndoOutcome> {
    using _held = await this.#lock.acquire(signal);
    const inverse = this.#inverses.at(-1);
    if (!inverse) return { kind: 'nothing' };
    const changes = await inverse.changes();
    const stateDirectory = this.#stateDirectory;
    const options = { durability: 'process', onConflict: 'refuse', stateDirectory } as const;
    const outcome = await commitOverlay(this.#disk.workspace, inverse, options, signal);
    if (outcome.kind === 'conflict') return outcome;
    this.#inverses.pop();
    this.#disk.report(changes.flatMap(eventsOf));
    return outcome;
  }

  /** What the commit replaces: the content the overlay was made on or, if forced, the current content. */
  async #replaced(overlay: Overlay, { onConflict }: OverlayCommitOptions): Promise<readonly FileChange[]> {
    if (onConflict === 'refuse') return changesOf(overlay);
    const flat = overlay.flattened();
    const { source: base } = this.#disk;
    return Overlay.on(base, { layer: flat.layer(), renames: flat.renames() }).changes();
  }
}

/** The file events of a written change. */
function eventsOf({ path, from, before, after }: FileChange): readonly FileEvent[] {
  if (from !== undefined)
    return [
      { path: from, kind: 'deleted' },
      { path, kind: 'created' },
    ];
  if (after === undefined) return [{ path, kind: 'deleted' }];
  return [{ path, kind: before === undefined ? 'created' : 'changed' }];
}
