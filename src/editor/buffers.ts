/**
 * The open buffers of the editor, and the workspace as they show it.
 *
 * Invariants: one buffer for each file, by its real path. `overlay` and `view` hold exactly the unsaved text of this
 * moment, each with the disk content it was made on; `generation` grows whenever they would be others. A page that closes
 * leaves unsaved text where it is.
 */
import { Channel } from '../base/channel.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import { WorkspaceView } from '../live/workspace-view.ts';
import { Overlay } from '../overlay/overlay.ts';
import { languageOf } from '../servers/language.ts';
import { type ContentHash, hashContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import { type BufferContent, type BufferUpdate, EditorBuffer } from './buffer.ts';
import { NotOpen, ReadOnlyBuffer, StaleVersion } from './editor-failure.ts';
import type { EditorEvent } from './protocol.ts';

export type BufferState = Extract<EditorEvent, { readonly kind: 'buffer.state' }>['state'];

/** What happened to a buffer, for the parts of the back end. */
export interface BufferChange {
  readonly path: WorkspacePath;
  readonly kind: 'opened' | 'text' | 'state' | 'closed';
}

/** The name of the back end among those who change buffers. */
export const backEnd = 'forerun';

export class Buffers {
  readonly changed = new Channel<BufferChange>();
  readonly #live: LiveWorkspace;
  readonly #publish: (event: EditorEvent) => void;
  readonly #open = new Map<WorkspacePath, EditorBuffer>();
  #generation = 0;
  #view: WorkspaceView | undefined;
  readonly #diskView: WorkspaceView;

  constructor(live: LiveWorkspace, publish: (event: EditorEvent) => void) {
    this.#live = live;
    this.#publish = publish;
    this.#diskView = WorkspaceView.ofDisk(live);
  }

  /** Grows with every change of unsaved text. */
  get generation(): number {
    return this.#generation;
  }

  get all(): readonly EditorBuffer[] {
    return [...this.#open.values()].sort((a, b) => comparePaths(a.path, b.path));
  }

  get(path: WorkspacePath): EditorBuffer | undefined {
    return this.#open.get(path);
  }

  /** The buffer of a file; fails if it is not open. */
  require(path: WorkspacePath): EditorBuffer {
    const buffer = this.#open.get(path);
    if (!buffer) throw new NotOpen(path, [...this.#open.keys()]);
    return buffer;
  }

  /** Fails if a request is about another text than the current one. */
  requireVersion(path: WorkspacePath, asked: number | undefined): void {
    const current = this.#open.get(path)?.version;
    if (asked !== undefined && current !== undefined && asked !== current) {
      throw new StaleVersion(path, { asked, current });
    }
  }

  /** The unsaved texts. */
  overlay(): Overlay {
    return this.view().overlay;
  }

  /** The workspace with the unsaved texts; the same value until one of them changes. */
  view(): WorkspaceView {
    this.#view ??= this.#diskView.with(this.#overlayOf(this.all.filter((buffer) => buffer.isUnsaved)));
    return this.#view;
  }

  /** The texts of some buffers alone, saved or not. */
  overlayOf(paths: readonly WorkspacePath[]): Overlay {
    return this.#overlayOf(paths.map((path) => this.require(path)));
  }

  /** Opens a buffer with the content of the disk, or returns the open one. */
  open(
    path: WorkspacePath,
    content: BufferContent,
    options: { readonly readOnly?: string } = {},
  ): EditorBuffer {
    const known = this.#open.get(path);
    if (known) return known;
    const buffer = new EditorBuffer(path, content, options);
    this.#open.set(path, buffer);
    this.changed.emit({ path, kind: 'opened' });
    return buffer;
  }

  /** A page no longer shows a buffer. */
  leave(path: WorkspacePath, page: string): void {
    const buffer = this.#open.get(path);
    if (!buffer) return;
    buffer.pages.delete(page);
    if (buffer.pages.size === 0 && !buffer.isUnsaved) this.forget(path);
  }

  /** Closes a buffer, with its text. */
  forget(path: WorkspacePath): void {
    const buffer = this.#open.get(path);
    if (!buffer) return;
    this.#open.delete(path);
    if (buffer.isUnsaved) this.#invalidate();
    this.#publish({ kind: 'buffer.closed', path });
    this.changed.emit({ path, kind: 'closed' });
  }

  /** The file of a buffer has another name now; its text and its version stay. */
  move(from: WorkspacePath, to: WorkspacePath): void {
    const buffer = this.#open.get(from);
    if (!buffer || this.#open.has(to)) return;
    this.#open.delete(from);
    const moved = buffer.movedTo(to);
    this.#open.set(to, moved);
    this.#invalidate();
    this.#publish({ kind: 'buffer.moved', from, state: this.stateOf(moved) });
    this.changed.emit({ path: from, kind: 'closed' });
    this.changed.emit({ path: to, kind: 'opened' });
  }

  /** Takes changes on a version; those who are behind pull first. */
  push(path: WorkspacePath, version: number, updates: readonly BufferUpdate[]): 'accepted' | 'behind' {
    const buffer = this.require(path);
    if (buffer.readOnly !== undefined) throw new ReadOnlyBuffer(path, buffer.readOnly);
    const before = this.stateOf(buffer);
    if (buffer.push(version, updates) === 'behind') return 'behind';
    if (updates.length > 0) this.#updated(buffer, before, updates);
    return 'accepted';
  }

  /** An edit of the back end; the version after it. */
  edit(path: WorkspacePath, text: string, step?: string): number {
    const buffer = this.require(path);
    const changes = buffer.changesTo(text);
    if (changes) {
      const update = { client: backEnd, changes, ...(step !== undefined && { step }) };
      this.push(path, buffer.version, [update]);
    }
    return buffer.version;
  }

  /** The text of a buffer has reached the disk. */
  saved(path: WorkspacePath, content: BufferContent): void {
    const buffer = this.#open.get(path);
    if (!buffer) return;
    const before = this.stateOf(buffer);
    buffer.saved(content);
    this.#invalidate();
    this.#published(buffer, before);
    if (buffer.pages.size === 0 && !buffer.isUnsaved) this.forget(path);
  }

  /** Reads the disk again; clean buffers take over what it holds. */
  async readDisk(paths: readonly WorkspacePath[]): Promise<void> {
    for (const path of paths) {
      const content = this.#open.has(path) ? await this.#live.disk.source.read(path) : undefined;
      const buffer = this.#open.get(path);
      // A file shown read only is another one than its text on disk says.
      if (buffer && buffer.readOnly === undefined) this.#diskChanged(buffer, content);
    }
  }

  /** Forgets unsaved text: the buffer shows the disk again. */
  async revert(path: WorkspacePath): Promise<void> {
    const content = await this.#live.disk.source.read(path);
    const buffer = this.require(path);
    if (content?.kind === 'text') this.#takeOver(buffer, content);
    else this.forget(path);
  }

  stateOf(buffer: EditorBuffer): BufferState {
    const { path, version, isUnsaved, conflict, lineEnds, readOnly } = buffer;
    const language = languageOf(path) ?? 'plaintext';
    return {
      path,
      version,
      isUnsaved,
      conflict,
      language,
      lineEnds,
      ...(readOnly !== undefined && { readOnly }),
    };
  }

  #diskChanged(buffer: EditorBuffer, content: FileContent | undefined): void {
    const before = this.stateOf(buffer);
    const disk = content === undefined ? 'absent' : content.kind === 'text' ? content : 'not text';
    const outcome = buffer.diskChanged(disk);
    if (outcome === 'take over' && typeof disk === 'object') this.#takeOver(buffer, disk);
    else if (outcome === 'state') {
      this.#invalidate();
      this.#published(buffer, before);
    }
  }

  #takeOver(buffer: EditorBuffer, content: BufferContent): void {
    const before = this.stateOf(buffer);
    const update = buffer.takeOver(content, backEnd);
    if (update) this.#updated(buffer, before, [update]);
    else {
      this.#invalidate();
      this.#published(buffer, before);
    }
  }

  #updated(buffer: EditorBuffer, before: BufferState, updates: readonly BufferUpdate[]): void {
    const { path, version } = buffer;
    this.#invalidate();
    this.#publish({ kind: 'buffer.updated', path, version, updates: updates.map(wireUpdate) });
    this.#published(buffer, before);
    this.changed.emit({ path, kind: 'text' });
  }

  /** Publishes what is new in the state of a buffer beside its version, which updates carry. */
  #published(buffer: EditorBuffer, before: BufferState): void {
    const state = this.stateOf(buffer);
    const isSame =
      state.isUnsaved === before.isUnsaved &&
      state.conflict === before.conflict &&
      state.lineEnds === before.lineEnds;
    if (isSame) return;
    this.#publish({ kind: 'buffer.state', state });
    this.changed.emit({ path: buffer.path, kind: 'state' });
  }

  #invalidate(): void {
    this.#generation += 1;
    this.#view = undefined;
  }

  #overlayOf(buffers: readonly EditorBuffer[]): Overlay {
    const layer = new Map<WorkspacePath, FileContent>(buffers.map(({ path, content }) => [path, content]));
    const madeOn = new Map<WorkspacePath, ContentHash>(
      buffers.map(({ path, base }) => [path, hashContent(base)]),
    );
    return Overlay.on(this.#live.disk.source, { layer, madeOn });
  }
}

/** An update as it is sent to pages. */
export function wireUpdate({ client, changes, step }: BufferUpdate): {
  client: string;
  changes: unknown;
  step?: string;
} {
  return { client, changes: changes.toJSON(), ...(step !== undefined && { step }) };
}
