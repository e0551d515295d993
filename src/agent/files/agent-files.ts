/**
 * The files of one workspace in a conversation: the overlay a tool call sees, and the destination of its changes.
 *
 * Invariant: tools only create overlays. The implementation decides whether one reaches the disk: a live conversation
 * commits it at once, a fork keeps it.
 */
import type { CommitOutcome } from '../../overlay/commit/commit.ts';
import type { CommitDecision } from '../../overlay/commit/commit-decision.ts';
import { Overlay } from '../../overlay/overlay.ts';
import { type PatchedChange, patchesOf } from '../../overlay/patch.ts';
import type { FilePatch } from '../../text/unified-diff.ts';
import { isSameBytes } from '../../workspace/content-hash.ts';
import { comparePaths } from '../../workspace/workspace-path.ts';

export interface AgentFiles {
  /** The overlay for a tool call that starts now. */
  overlay(): Overlay;
  /**
   * Commits the overlay a tool derived from `overlay()`. If it is bound to a decision, both take effect or neither
   * does.
   */
  commit(changed: Overlay, binding: CommitBinding, signal: AbortSignal): Promise<FilesOutcome>;
  /** The same files for a fork, whose changes no other conversation sees. */
  fork(): AgentFiles;
}

/** The decision a commit is bound to. */
export interface CommitBinding {
  readonly decision?: CommitDecision;
}

export type FilesOutcome =
  | {
      readonly kind: 'committed';
      /** The committed changes, with paths relative to the root of the workspace. */
      readonly patch: readonly FilePatch[];
      /** What the commit could not preserve, such as hard links. */
      readonly warnings: readonly string[];
    }
  | (CommitOutcome & { readonly kind: 'conflict' });

/** Files whose changes stay in an overlay until it is committed or discarded. */
export class ForkedFiles implements AgentFiles {
  #overlay: Overlay;

  constructor(overlay: Overlay) {
    this.#overlay = overlay;
  }

  overlay(): Overlay {
    return this.#overlay;
  }

  async commit(changed: Overlay, { decision }: CommitBinding): Promise<FilesOutcome> {
    const patch = patchesOf(await changesBetween(this.#overlay, changed));
    await decision?.decide();
    this.#overlay = changed;
    return { kind: 'committed', patch, warnings: [] };
  }

  fork(): AgentFiles {
    return new ForkedFiles(Overlay.on(this.#overlay));
  }
}

/**
 * The files in which two overlays on the same base differ. Files of a directory that was removed as a whole are not
 * listed one by one.
 */
async function changesBetween(before: Overlay, after: Overlay): Promise<readonly PatchedChange[]> {
  const [old, next] = [before.layer(), after.layer()];
  const paths = [...new Set([...old.keys(), ...next.keys()])].filter(
    (path) => old.get(path) !== next.get(path),
  );
  const read = paths.sort(comparePaths).map(async (path) => ({
    path,
    before: await before.read(path),
    after: await after.read(path),
  }));
  return (await Promise.all(read)).filter((change) => !isSameBytes(change.before, change.after));
}
