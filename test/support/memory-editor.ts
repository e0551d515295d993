/** The text of an editor in memory: a disk that never changes, and buffers that the applied edits change. */
import type { CommitBinding, FilesOutcome } from '../../src/agent/files/agent-files.ts';
import type { EditorText } from '../../src/editor/agent/editor-text.ts';
import { Overlay } from '../../src/overlay/overlay.ts';
import { patchesOf } from '../../src/overlay/patch.ts';
import type { FileSource } from '../../src/workspace/file-source.ts';
import type { WorkspacePath } from '../../src/workspace/workspace-path.ts';

export class MemoryEditor implements EditorText {
  #overlay: Overlay;
  /** How many times something was applied. */
  steps = 0;

  constructor(disk: FileSource) {
    this.#overlay = Overlay.on(disk);
  }

  overlay(): Overlay {
    return this.#overlay;
  }

  async apply(changed: Overlay, { decision }: CommitBinding): Promise<FilesOutcome> {
    const patch = patchesOf(await changed.changes());
    await decision?.decide();
    this.#overlay = this.#overlay.writeAll(changed.layer());
    this.steps += 1;
    return { kind: 'committed', patch, warnings: [] };
  }

  /** The user types. */
  type(path: WorkspacePath, text: string): void {
    this.#overlay = this.#overlay.writeText(path, text);
  }

  async read(path: WorkspacePath): Promise<string | undefined> {
    const content = await this.#overlay.read(path);
    return content?.kind === 'text' ? content.text : undefined;
  }
}
