/** Agent files that are committed by a function of the test, as those of a chat are by its workspace. */
import {
  type AgentFiles,
  type CommitBinding,
  type FilesOutcome,
  ForkedFiles,
} from '../../src/agent/files/agent-files.ts';
import type { CommitOutcome } from '../../src/overlay/commit/commit.ts';
import { Overlay } from '../../src/overlay/overlay.ts';
import { patchesOf } from '../../src/overlay/patch.ts';

export interface CommittedFilesOptions {
  /** An overlay without changes on the files as they are now; each must freeze what it is read for. */
  readonly begin: () => Overlay;
  readonly commit: (overlay: Overlay, binding: CommitBinding, signal: AbortSignal) => Promise<CommitOutcome>;
}

export class CommittedFiles implements AgentFiles {
  readonly #options: CommittedFilesOptions;

  constructor(options: CommittedFilesOptions) {
    this.#options = options;
  }

  overlay(): Overlay {
    return this.#options.begin();
  }

  async commit(changed: Overlay, binding: CommitBinding, signal: AbortSignal): Promise<FilesOutcome> {
    const patch = patchesOf(await changed.changes());
    const outcome = await this.#options.commit(changed, binding, signal);
    return outcome.kind === 'conflict' ? outcome : { kind: 'committed', patch, warnings: outcome.warnings };
  }

  fork(): AgentFiles {
    return new ForkedFiles(Overlay.on(this.overlay()));
  }
}
