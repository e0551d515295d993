/**
 * Makes an edit of several files, whoever worked it out: a rename, a code action, a replacement, an agent.
 *
 * Invariants: all files or none. Open buffers are changed in place, by one update each, and stay unsaved; files that are
 * not open are committed, and never over a content that the edit was not made on. What was made together is taken back
 * together, by one undo.
 */
import type { ChangeSet } from '@codemirror/state';
import { FifoLock } from '../base/fifo-lock.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import { type FileChange, type LayerEntry, Overlay } from '../overlay/overlay.ts';
import { type ContentHash, hashContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { EditorBuffer } from './buffer.ts';
import { type Buffers, backEnd } from './buffers.ts';
import { ChangedSince, EditNotText, NothingToUndo } from './editor-failure.ts';

/** An edit as the changes it makes to the workspace that the buffers show. */
export interface WorkedOutEdit {
  readonly changes: readonly FileChange[];
  /** The versions of the open buffers it was worked out on. */
  readonly versions: ReadonlyMap<WorkspacePath, number>;
}

/** How a file is reached: shown in a page, a buffer without a page, a file on disk. */
export type Lane = 'live' | 'open' | 'closed';

interface Step {
  readonly name: string;
  /** What restores the files that were committed. */
  readonly inverse: Overlay | undefined;
  /** What restores each buffer, and the version it applies to. */
  readonly buffers: ReadonlyMap<WorkspacePath, { readonly inverse: ChangeSet; readonly version: number }>;
  readonly paths: readonly WorkspacePath[];
}

const rememberedSteps = 20;

export class EditApplier {
  readonly #live: LiveWorkspace;
  readonly #buffers: Buffers;
  readonly #signal: AbortSignal;
  readonly #lock = new FifoLock();
  readonly #steps: Step[] = [];
  #count = 0;

  /** The signal aborts when the editor is closed. */
  constructor(live: LiveWorkspace, buffers: Buffers, signal: AbortSignal) {
    this.#live = live;
    this.#buffers = buffers;
    this.#signal = signal;
  }

  /** What an overlay on the current view changes; `edited` must lie on `buffers.overlay()`. */
  async workOut(edited: Overlay): Promise<WorkedOutEdit> {
    const versions = new Map(this.#buffers.all.map(({ path, version }) => [path, version]));
    return { changes: await edited.changes(), versions };
  }

  laneOf(path: WorkspacePath): Lane {
    const buffer = this.#buffers.get(path);
    if (!buffer) return 'closed';
    return buffer.pages.size > 0 ? 'live' : 'open';
  }

  /** Applies an edit; fails before anything is changed if a file is no longer what it was made on. */
  async apply({ changes, versions }: WorkedOutEdit): Promise<readonly WorkspacePath[]> {
    using _held = await this.#lock.acquire(this.#signal);
    const touched = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
    const requireUnchanged = (): void => {
      const stale = touched.filter((path) => this.#buffers.get(path)?.version !== versions.get(path));
      if (stale.length > 0) throw new ChangedSince(stale);
    };
    requireUnchanged();
    const texts = changes.filter(({ path, kind }) => kind !== 'deleted' && this.#buffers.get(path));
    const unfit = texts.filter(({ after }) => after?.kind !== 'text').map(({ path }) => path);
    if (unfit.length > 0) throw new EditNotText(unfit);
    const files = filesOf(changes, this.#buffers);
    const inverse = await this.#commit(files, requireUnchanged);
    this.#count += 1;
    const name = `edit-${this.#count}`;
    const restored = new Map<WorkspacePath, { readonly inverse: ChangeSet; readonly version: number }>();
    for (const change of changes) {
      const undone = this.#changeBuffer(change, name);
      if (undone) restored.set(change.path, undone);
    }
    const paths = [...new Set(touched)].sort(comparePaths);
    this.#remember({ name, inverse, buffers: restored, paths });
    return paths;
  }

  /** Takes the last edit back in all of its files; later typing elsewhere in them stays. */
  async undo(): Promise<readonly WorkspacePath[]> {
    using _held = await this.#lock.acquire(this.#signal);
    const step = this.#steps.at(-1);
    if (!step) throw new NothingToUndo();
    const prepared = [...step.buffers].map(([path, made]) => ({ path, changes: this.#mapped(path, made) }));
    if (step.inverse) await this.#write(step.inverse);
    for (const { path, changes } of prepared) {
      const buffer = this.#buffers.get(path);
      if (buffer && changes) {
        const update = { client: backEnd, changes, step: `${step.name}-undo` };
        this.#buffers.push(path, buffer.version, [update]);
      }
    }
    this.#steps.pop();
    return step.paths;
  }

  #remember(step: Step): void {
    this.#steps.push(step);
    if (this.#steps.length > rememberedSteps) this.#steps.shift();
  }

  /** What restores a buffer, carried through what was typed since. */
  #mapped(
    path: WorkspacePath,
    { inverse, version }: { readonly inverse: ChangeSet; readonly version: number },
  ): ChangeSet | undefined {
    const buffer = this.#buffers.get(path);
    if (!buffer) return undefined;
    const since = buffer.since(version);
    if (!since) throw new ChangedSince([path]);
    let mapped = inverse;
    for (const { changes } of since) mapped = mapped.map(changes);
    return mapped;
  }

  /** Commits what concerns the disk; the overlay that restores it. */
  async #commit(files: CommittedFiles, requireUnchanged: () => void): Promise<Overlay | undefined> {
    if (files.layer.size === 0) return undefined;
    const { source: base } = this.#live.disk;
    const before = new Map<WorkspacePath, LayerEntry>();
    for (const path of files.layer.keys()) before.set(path, (await base.read(path)) ?? 'removed');
    requireUnchanged();
    await this.#write(Overlay.from({ base, ...files }));
    const madeOn = new Map(
      [...files.layer].map(([path, entry]) => [path, hashContent(entry === 'removed' ? undefined : entry)]),
    );
    return Overlay.from({ base, layer: before, renames: new Map(), madeOn });
  }

  async #write(overlay: Overlay): Promise<void> {
    const options = { durability: 'process', onConflict: 'refuse' } as const;
    const outcome = await this.#live.commits.commit(overlay, options, this.#signal);
    if (outcome.kind === 'conflict') throw new ChangedSince(outcome.paths);
  }

  /** The part of a change that concerns a buffer. Nothing here can fail: it was checked before the commit. */
  #changeBuffer(
    { path, from, kind, after }: FileChange,
    step: string,
  ): { readonly inverse: ChangeSet; readonly version: number } | undefined {
    if (kind === 'deleted') {
      this.#buffers.forget(path);
      return undefined;
    }
    if (from !== undefined) this.#buffers.move(from, path);
    const buffer = this.#buffers.get(path);
    if (!buffer || after?.kind !== 'text') return undefined;
    const changes = buffer.changesTo(after.text);
    if (!changes) return undefined;
    const inverse = changes.invert(buffer.text);
    this.#buffers.push(path, buffer.version, [{ client: backEnd, changes, step }]);
    return { inverse, version: buffer.version };
  }
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
