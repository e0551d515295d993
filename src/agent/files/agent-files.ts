/**
 * The files of one workspace as an agent works on them: what a tool call sees, and where its changes go.
 *
 * Invariant: tools only ever make overlays. Whether one becomes real is decided here and nowhere else: live files
 * commit it at once, those of a fork keep it.
 */
import type { CommitOutcome } from '../../overlay/commit/commit.ts';
import type { CommitDecision } from '../../overlay/commit/commit-decision.ts';
import { Overlay } from '../../overlay/overlay.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';

export interface AgentFiles {
  /** What a tool call that begins now sees. */
  overlay(): Overlay;
  /** Takes in what a tool made of that overlay. */
  take(changed: Overlay, signal: AbortSignal): Promise<TakeOutcome>;
  /** Takes in a change that comes true together with something else, or not at all. */
  commitWith(changed: Overlay, decision: CommitDecision, signal: AbortSignal): Promise<TakeOutcome>;
  /** The same files for somebody who may change them without anybody noticing. */
  fork(): AgentFiles;
}

export type TakeOutcome =
  /** `warnings` are sentences about what the commit could not keep, such as hard links. */
  | { readonly kind: 'taken'; readonly warnings: readonly string[] }
  /** Somebody else changed these meanwhile; nothing was written. */
  | { readonly kind: 'conflict'; readonly paths: readonly WorkspacePath[] };

export interface LiveFilesOptions {
  /** An overlay without changes on the files as they are now; each must freeze what it is read for. */
  readonly begin: () => Overlay;
  /** The one way by which anything reaches the disk. */
  readonly commit: (overlay: Overlay, together: CommitBinding, signal: AbortSignal) => Promise<CommitOutcome>;
}

/** What a commit is bound to. */
export interface CommitBinding {
  readonly decision?: CommitDecision;
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

  take(changed: Overlay, signal: AbortSignal): Promise<TakeOutcome> {
    return this.#commit(changed, {}, signal);
  }

  commitWith(changed: Overlay, decision: CommitDecision, signal: AbortSignal): Promise<TakeOutcome> {
    return this.#commit(changed, { decision }, signal);
  }

  fork(): AgentFiles {
    return new ForkedFiles(Overlay.on(this.overlay()));
  }

  async #commit(changed: Overlay, together: CommitBinding, signal: AbortSignal): Promise<TakeOutcome> {
    const outcome = await this.#options.commit(changed, together, signal);
    return outcome.kind === 'conflict' ? outcome : { kind: 'taken', warnings: outcome.warnings };
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
    return { kind: 'taken', warnings: [] };
  }

  async commitWith(changed: Overlay, { decide }: CommitDecision): Promise<TakeOutcome> {
    await decide();
    return this.take(changed);
  }

  fork(): AgentFiles {
    return new ForkedFiles(Overlay.on(this.#overlay));
  }
}
