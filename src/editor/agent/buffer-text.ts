/**
 * The text of the editor for its agent: reads see the buffers, and what is accepted is applied to them.
 *
 * Invariant: all files or none, by the one applier of the editor; a file that was typed in since the change was worked out is
 * a conflict.
 */
import type { CommitBinding, FilesOutcome } from '../../agent/files/agent-files.ts';
import type { FileChange, Overlay } from '../../overlay/overlay.ts';
import { patchesOf } from '../../overlay/patch.ts';
import type { Buffers } from '../buffers.ts';
import type { EditApplier } from '../edit-applier.ts';
import type { EditorText } from './editor-text.ts';

export class BufferText implements EditorText {
  readonly #buffers: Buffers;
  readonly #applier: EditApplier;

  constructor(buffers: Buffers, applier: EditApplier) {
    this.#buffers = buffers;
    this.#applier = applier;
  }

  overlay(): Overlay {
    return this.#buffers.overlay();
  }

  async apply(changed: Overlay, { decision }: CommitBinding, signal: AbortSignal): Promise<FilesOutcome> {
    const changes = await changed.changes();
    signal.throwIfAborted();
    const typedIn = changes.filter((change) => this.#isTypedIn(change)).map(({ path }) => path);
    if (typedIn.length > 0) return { kind: 'conflict', paths: typedIn };
    const versions = new Map(this.#buffers.all.map(({ path, version }) => [path, version]));
    const outcome = await this.#applier.applyUnchanged({ changes, versions }, { decision });
    if (outcome.kind === 'conflict') return outcome;
    return { kind: 'committed', patch: patchesOf(changes), warnings: outcome.warnings };
  }

  /** Whether an open buffer holds another text than the change was made on. */
  #isTypedIn({ path, from, before }: FileChange): boolean {
    const buffer = this.#buffers.get(from ?? path);
    if (!buffer) return false;
    return before?.kind !== 'text' || buffer.content.text !== before.text;
  }
}
