/**
 * The text of the editor for its agent: reads see the buffers, and what is accepted is applied to them.
 *
 * Invariant: all files or none. A file that is open is changed in its buffer and stays unsaved; any other is committed, and
 * never over a content that the change was not made on.
 */
import type { CommitBinding, FilesOutcome } from '../../agent/files/agent-files.ts';
import type { LiveWorkspace } from '../../live/live-workspace.ts';
import { type FileChange, type LayerEntry, Overlay } from '../../overlay/overlay.ts';
import { patchesOf } from '../../overlay/patch.ts';
import { type ContentHash, hashContent } from '../../workspace/content-hash.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Buffers } from '../buffers.ts';
import type { EditorText } from './editor-text.ts';
import { mergedContent } from './proposed-file.ts';

export class BufferText implements EditorText {
  readonly #live: LiveWorkspace;
  readonly #buffers: Buffers;
  #steps = 0;

  constructor(live: LiveWorkspace, buffers: Buffers) {
    this.#live = live;
    this.#buffers = buffers;
  }

  overlay(): Overlay {
    return this.#buffers.overlay();
  }

  async apply(changed: Overlay, binding: CommitBinding, signal: AbortSignal): Promise<FilesOutcome> {
    const changes = await changed.changes();
    const open = changes.filter((change) => this.#isInBuffer(change));
    const closed = changes.filter((change) => !open.includes(change));
    const stale = await this.#typedIn(open);
    if (stale.length > 0) return { kind: 'conflict', paths: stale };
    const written = await this.#commit(closed, binding, signal);
    if (written.kind === 'conflict') return written;
    this.#steps += 1;
    for (const { path, before, after } of open) this.#edit(path, { before, after });
    return { kind: 'committed', patch: patchesOf(changes), warnings: written.warnings };
  }

  /** What was typed while other files were committed stays; where it is the same lines, it wins. */
  #edit(path: WorkspacePath, { before, after }: Pick<FileChange, 'before' | 'after'>): void {
    const current = this.#buffers.get(path)?.content;
    if (before?.kind !== 'text' || after?.kind !== 'text' || !current) return;
    const merged = mergedContent(path, { before, after }, current);
    if (merged !== 'conflict' && merged.content) {
      this.#buffers.edit(path, merged.content.text, `agent-${this.#steps}`);
    }
  }

  #isInBuffer({ path, after }: FileChange): boolean {
    return this.#buffers.get(path) !== undefined && after?.kind === 'text';
  }

  /** Buffers that were typed in since the change was worked out. */
  async #typedIn(changes: readonly FileChange[]): Promise<readonly WorkspacePath[]> {
    const now = this.#buffers.overlay();
    const stale: WorkspacePath[] = [];
    for (const { path, before } of changes) {
      const content = await now.read(path);
      const isSame = content?.kind === 'text' && before?.kind === 'text' && content.text === before.text;
      if (!isSame) stale.push(path);
    }
    return stale;
  }

  async #commit(
    changes: readonly FileChange[],
    { decision }: CommitBinding,
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: 'committed'; readonly warnings: readonly string[] }
    | (FilesOutcome & { readonly kind: 'conflict' })
  > {
    if (changes.length === 0) {
      await decision?.decide();
      return { kind: 'committed', warnings: [] };
    }
    const layer = new Map<WorkspacePath, LayerEntry>();
    const madeOn = new Map<WorkspacePath, ContentHash>();
    for (const { path, from, before, after } of changes) {
      if (from !== undefined) layer.set(from, 'removed');
      layer.set(path, after ?? 'removed');
      madeOn.set(from ?? path, hashContent(before));
    }
    const { source: base } = this.#live.disk;
    const overlay = Overlay.from({ base, layer, renames: new Map(), madeOn });
    const options = { durability: 'process', onConflict: 'refuse', ...(decision && { decision }) } as const;
    return this.#live.commits.commit(overlay, options, signal);
  }
}
