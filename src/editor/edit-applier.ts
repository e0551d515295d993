/**
 * Applies an edit of several files, whether it comes from a rename, a code action, a replacement or an agent.
 *
 * Invariants: all files or none. Open buffers are changed in place, by one update each, and stay unsaved; files that are
 * not open are committed, and never over a content that the edit was not made on. What is typed while files are committed
 * stays. What was made together is taken back together, by one undo.
 */
import type { ChangeSet } from '@codemirror/state';
import { FifoLock } from '../base/fifo-lock.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { CommitOutcome } from '../overlay/commit/commit.ts';
import type { CommitDecision } from '../overlay/commit/commit-decision.ts';
import { type FileChange, type LayerEntry, type Move, Overlay } from '../overlay/overlay.ts';
import { type ContentHash, hashContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { BufferUpdate, EditorBuffer } from './buffer.ts';
import { type Buffers, backEnd } from './buffers.ts';
import { ChangedSince, EditNotText, NothingToUndo } from './editor-failure.ts';
import type { EditorEvent } from './protocol.ts';

/** An edit as the changes it makes to the workspace that the buffers show. */
export interface WorkedOutEdit {
  readonly changes: readonly FileChange[];
  /** The versions of the open buffers it was worked out on. */
  readonly versions: ReadonlyMap<WorkspacePath, number>;
}

/** How a file is reached: shown in a page, a buffer without a page, a file on disk. */
export type Lane = 'live' | 'open' | 'closed';

export interface ApplyOptions {
  /** What must come true together with the files. */
  readonly decision?: CommitDecision | undefined;
  /** Edits of one group are taken back by one undo. */
  readonly group?: string;
}

export type ApplyOutcome =
  | {
      readonly kind: 'applied';
      readonly paths: readonly WorkspacePath[];
      readonly warnings: readonly string[];
    }
  /** Nothing was changed: these files are no longer what the edit was made on. */
  | { readonly kind: 'conflict'; readonly paths: readonly WorkspacePath[] };

/** A change of one buffer, and the version it applies to. */
interface BufferStep {
  readonly changes: ChangeSet;
  readonly version: number;
}

interface Step {
  readonly name: string;
  readonly group: string;
  /** What restores the files that were committed. */
  readonly inverse: Overlay | undefined;
  /** What restores each buffer. */
  readonly buffers: ReadonlyMap<WorkspacePath, BufferStep>;
  readonly moves: readonly Move[];
  /** The unsaved texts of buffers that were closed because their file was deleted. */
  readonly closed: ReadonlyMap<WorkspacePath, string>;
  readonly paths: readonly WorkspacePath[];
}

const rememberedSteps = 20;

export class EditApplier {
  readonly #live: LiveWorkspace;
  readonly #buffers: Buffers;
  readonly #publish: (event: EditorEvent) => void;
  readonly #signal: AbortSignal;
  readonly #lock = new FifoLock();
  readonly #steps: Step[] = [];
  #count = 0;

  /** The signal aborts when the editor is closed. */
  constructor(
    parts: {
      readonly live: LiveWorkspace;
      readonly buffers: Buffers;
      readonly publish: (event: EditorEvent) => void;
    },
    signal: AbortSignal,
  ) {
    this.#live = parts.live;
    this.#buffers = parts.buffers;
    this.#publish = parts.publish;
    this.#signal = signal;
  }

  /** What an overlay on the current view changes; `edited` must lie on `buffers.overlay()`. */
  async workOut(edited: Overlay): Promise<WorkedOutEdit> {
    const versions = this.versions();
    return { changes: await edited.changes(), versions };
  }

  /** The versions of the open buffers at this moment. */
  versions(): WorkedOutEdit['versions'] {
    return new Map(this.#buffers.all.map(({ path, version }) => [path, version]));
  }

  laneOf(path: WorkspacePath): Lane {
    const buffer = this.#buffers.get(path);
    if (!buffer) return 'closed';
    return buffer.pages.size > 0 ? 'live' : 'open';
  }

  /** Applies an edit; fails before anything is changed if a file is no longer what it was made on. */
  async apply(edit: WorkedOutEdit, options: ApplyOptions = {}): Promise<readonly WorkspacePath[]> {
    const outcome = await this.applyUnchanged(edit, options);
    if (outcome.kind === 'conflict') throw new ChangedSince(outcome.paths);
    return outcome.paths;
  }

  /** Applies an edit if every file is still what it was made on. */
  async applyUnchanged(
    { changes, versions }: WorkedOutEdit,
    { decision, group }: ApplyOptions = {},
  ): Promise<ApplyOutcome> {
    using _held = await this.#lock.acquire(this.#signal);
    const touched = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
    const stale = (): readonly WorkspacePath[] =>
      touched.filter((path) => this.#buffers.get(path)?.version !== versions.get(path));
    if (stale().length > 0) return { kind: 'conflict', paths: stale() };
    const texts = changes.filter(({ path, kind }) => kind !== 'deleted' && this.#buffers.get(path));
    const unfit = texts.filter(({ after }) => after?.kind !== 'text').map(({ path }) => path);
    if (unfit.length > 0) throw new EditNotText(unfit);
    const prepared = changes.map((change) => ({ change, step: this.#prepared(change) }));
    const files = filesOf(changes, this.#buffers);
    const written = await this.#commit(files, { stale, decision });
    if (written.kind === 'conflict') return written;
    this.#count += 1;
    const name = `edit-${this.#count}`;
    const paths = [...new Set(touched)].sort(comparePaths);
    const made = this.#changeBuffers(prepared, name);
    this.#remember({ name, group: group ?? name, inverse: written.inverse, paths, ...made });
    return { kind: 'applied', paths, warnings: written.warnings };
  }

  /** Resolves when no edit is being applied: buffers and disk then agree about the names of files. */
  async idle(signal: AbortSignal): Promise<void> {
    using _held = await this.#lock.acquire(signal);
  }

  /** A name for edits that are taken back together. */
  newGroup(): string {
    this.#count += 1;
    return `group-${this.#count}`;
  }

  /** Takes the last edit back in all of its files; later typing elsewhere in them stays. */
  async undo(): Promise<readonly WorkspacePath[]> {
    using _held = await this.#lock.acquire(this.#signal);
    const group = this.#steps.at(-1)?.group;
    if (group === undefined) throw new NothingToUndo();
    const paths = new Set<WorkspacePath>();
    for (let step = this.#steps.at(-1); step?.group === group; step = this.#steps.at(-1)) {
      await this.#undoStep(step);
      for (const path of step.paths) paths.add(path);
      this.#steps.pop();
    }
    return [...paths].sort(comparePaths);
  }

  async #undoStep(step: Step): Promise<void> {
    // What cannot be carried through later changes fails before anything is written.
    for (const [path, made] of step.buffers) this.#mapped(path, made);
    if (step.inverse) {
      const outcome = await this.#write(step.inverse, undefined);
      if (outcome.kind === 'conflict') throw new ChangedSince(outcome.paths);
    }
    for (const [path, made] of step.buffers) {
      const changes = this.#mapped(path, made);
      const buffer = this.#buffers.get(path);
      if (buffer && changes) {
        const update = { client: backEnd, changes, step: undoOf(step.name) };
        this.#buffers.push(path, buffer.version, [update]);
      }
    }
    this.#move(step.moves.map(({ from, to }) => ({ from: to, to: from })));
    await this.#reopen(step.closed);
  }

  #remember(step: Step): void {
    this.#steps.push(step);
    if (this.#steps.length > rememberedSteps) this.#steps.shift();
  }

  /** What an edit does to an open buffer, on the version that it has now. */
  #prepared({ path, from, kind, after }: FileChange): BufferStep | undefined {
    const buffer = this.#buffers.get(from ?? path);
    if (!buffer || kind === 'deleted' || after?.kind !== 'text') return undefined;
    const changes = buffer.changesTo(after.text);
    return changes && { changes, version: buffer.version };
  }

  /** A change of a buffer, carried through what was typed since. */
  #mapped(path: WorkspacePath, { changes, version }: BufferStep): ChangeSet | undefined {
    const buffer = this.#buffers.get(path);
    if (!buffer) return undefined;
    const since = buffer.since(version);
    if (!since) throw new ChangedSince([path]);
    return withoutUndone(since).reduce((mapped, update) => mapped.map(update.changes), changes);
  }

  /** Commits what concerns the disk, and makes the decision with it; the overlay that restores it. */
  async #commit(
    files: CommittedFiles,
    { stale, decision }: { stale: () => readonly WorkspacePath[]; decision: CommitDecision | undefined },
  ): Promise<CommitOutcome & { readonly inverse?: Overlay }> {
    if (files.layer.size === 0) {
      await decision?.decide();
      return { kind: 'committed', written: [], warnings: [] };
    }
    const { source: base } = this.#live.disk;
    const before = new Map<WorkspacePath, LayerEntry>();
    for (const path of files.layer.keys()) before.set(path, (await base.read(path)) ?? 'removed');
    if (stale().length > 0) return { kind: 'conflict', paths: stale() };
    const written = await this.#write(Overlay.on(base, files), decision);
    const madeOn = new Map(
      [...files.layer].map(([path, entry]) => [path, hashContent(entry === 'removed' ? undefined : entry)]),
    );
    return { ...written, inverse: Overlay.on(base, { layer: before, madeOn }) };
  }

  #write(overlay: Overlay, decision: CommitDecision | undefined): Promise<CommitOutcome> {
    const options = { durability: 'process', onConflict: 'refuse', ...(decision && { decision }) } as const;
    return this.#live.commits.commit(overlay, options, this.#signal);
  }

  /** The part of an edit that concerns buffers. Nothing here can fail: it was checked before the commit. */
  #changeBuffers(
    prepared: readonly { readonly change: FileChange; readonly step: BufferStep | undefined }[],
    name: string,
  ): Pick<Step, 'buffers' | 'moves' | 'closed'> {
    const buffers = new Map<WorkspacePath, BufferStep>();
    const closed = new Map<WorkspacePath, string>();
    const moves: Move[] = [];
    for (const { change } of prepared) {
      const { path, from, kind } = change;
      if (kind === 'deleted') {
        const buffer = this.#buffers.get(path);
        if (buffer?.isUnsaved) closed.set(path, buffer.content.text);
        this.#buffers.forget(path);
      }
      if (from !== undefined) moves.push({ from, to: path });
    }
    this.#move(moves);
    for (const { change, step } of prepared) {
      const buffer = this.#buffers.get(change.path);
      const changes = step && this.#mapped(change.path, step);
      if (!buffer || !changes) continue;
      const inverse = changes.invert(buffer.text);
      this.#buffers.push(change.path, buffer.version, [{ client: backEnd, changes, step: name }]);
      buffers.set(change.path, { changes: inverse, version: buffer.version });
    }
    return { buffers, moves, closed };
  }

  #move(moves: readonly Move[]): void {
    if (moves.length === 0) return;
    for (const { from, to } of moves) this.#buffers.move(from, to);
    this.#publish({ kind: 'file.moved', moves: moves.map(({ from, to }) => ({ from, to })) });
  }

  /** Buffers that were closed with unsaved text are unsaved again. */
  async #reopen(closed: ReadonlyMap<WorkspacePath, string>): Promise<void> {
    for (const [path, text] of closed) {
      const content = await this.#live.disk.source.read(path);
      if (content?.kind !== 'text') continue;
      this.#buffers.open(path, content);
      this.#buffers.edit(path, text);
    }
  }
}

/** Without edits that were taken back before anything else changed the text: together they changed nothing. */
function withoutUndone(updates: readonly BufferUpdate[]): readonly BufferUpdate[] {
  const kept: BufferUpdate[] = [];
  for (const update of updates) {
    const last = kept.at(-1);
    if (last?.step !== undefined && update.step === undoOf(last.step)) kept.pop();
    else kept.push(update);
  }
  return kept;
}

function undoOf(step: string): string {
  return `${step}-undo`;
}

interface CommittedFiles {
  readonly layer: ReadonlyMap<WorkspacePath, LayerEntry>;
  readonly renames: ReadonlyMap<WorkspacePath, WorkspacePath>;
  readonly madeOn: ReadonlyMap<WorkspacePath, ContentHash>;
}

/** What an edit writes to the disk: files that are not open, and the names of those that are. */
function filesOf(changes: readonly FileChange[], buffers: Buffers): CommittedFiles {
  const layer = new Map<WorkspacePath, LayerEntry>();
  const renames = new Map<WorkspacePath, WorkspacePath>();
  const madeOn = new Map<WorkspacePath, ContentHash>();
  const write = (path: WorkspacePath, entry: LayerEntry, before: FileContent | undefined): void => {
    layer.set(path, entry);
    madeOn.set(path, hashContent(before));
  };
  for (const { path, from, kind, before, after } of changes) {
    const buffer = buffers.get(path);
    if (kind === 'deleted') write(path, 'removed', diskOf(buffer) ?? before);
    else if (from !== undefined && after) {
      const moved = buffers.get(from);
      // The text of a buffer stays unsaved: what moves on disk is what the disk holds.
      write(from, 'removed', diskOf(moved) ?? before);
      write(path, diskOf(moved) ?? after, undefined);
      renames.set(path, from);
    } else if (!buffer && after) write(path, after, before);
  }
  return { layer, renames, madeOn };
}

function diskOf(buffer: EditorBuffer | undefined): FileContent | undefined {
  return buffer?.base;
}
