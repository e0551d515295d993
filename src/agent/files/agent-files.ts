/**
 * The files of one workspace as an agent works on them: what a tool call sees, and where its changes go.
 *
 * Invariant: tools only ever make overlays. Whether one becomes real is decided here and nowhere else: live files
 * commit it at once, those of a fork keep it.
 */
import type { CommitOutcome } from '../../overlay/commit.ts';
import { Overlay } from '../../overlay/overlay.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';

export interface AgentFiles {
  /** What a tool call that begins now sees. */
  overlay(): Overlay;
  /** Takes in what a tool made of that overlay. */
  take(changed: Overlay, signal: AbortSignal): Promise<TakeOutcome>;
  /** The same files for somebody who may change them without anybody noticing. */
  fork(): AgentFiles;
}

export type TakeOutcome =
  | { readonly kind: 'taken' }
  /** Somebody else changed these meanwhile; nothing was written. */
  | { readonly kind: 'conflict'; readonly paths: readonly WorkspacePath[] };

export interface LiveFilesOptions {
  /** An overlay without changes on the files as they are now; each must freeze what it is read for. */
  readonly begin: () => Overlay;
  /** The one way by which anything reaches the disk. */
  readonly commit: (overlay: Overlay, signal: AbortSignal) => Promise<CommitOutcome>;
}

/** Files whose changes are real as soon as a tool has made them. */
export class LiveFiles implements AgentFiles {
  readonly #options: LiveFilesOptions;

  constructor(options: LiveFilesOptions) {
    this.#options = options;
  }

  overlay(): Overlay {
    return this.#options.begin();
  }

  async take(changed: Overlay, signal: AbortSignal): Promise<TakeOutcome> {
    const outcome = await this.#options.commit(changed, signal);
    return outcome.kind === 'conflict' ? outcome : { kind: 'taken' };
  }

  fork(): AgentFiles {
    return new ForkedFiles(Overlay.on(this.overlay()));
  }
}

/** Files whose changes pile up in an overlay until somebody commits or drops it. */
export class ForkedFiles implements AgentFiles {
  #overlay: Overlay;

  constructor(overlay: Overlay) {
    this.#overlay = overlay;
  }

  overlay(): Overlay {
    return this.#overlay;
  }

  async take(changed: Overlay): Promise<TakeOutcome> {
    this.#overlay = changed;
    return { kind: 'taken' };
  }

  fork(): AgentFiles {
    return new ForkedFiles(Overlay.on(this.#overlay));
  }
}
