/**
 * The files of one workspace as an agent works on them: what a tool call sees, and where its changes go.
 *
 * Invariant: tools only make overlays. Whether one reaches the disk is decided by the implementation: the files of a
 * live conversation commit it at once, those of a fork keep it.
 */
import type { CommitOutcome } from '../../overlay/commit/commit.ts';
import type { CommitDecision } from '../../overlay/commit/commit-decision.ts';
import { Overlay } from '../../overlay/overlay.ts';
import { type PatchedChange, patchesOf } from '../../overlay/patch.ts';
import type { FilePatch } from '../../text/unified-diff.ts';
import { isSameBytes } from '../../workspace/content-hash.ts';
import { comparePaths } from '../../workspace/workspace-path.ts';

export interface AgentFiles {
  /** What a tool call that begins now sees. */
  overlay(): Overlay;
  /** Commits what a tool made of that overlay; where it is bound to a decision, together with that or not at all. */
  commit(changed: Overlay, binding: CommitBinding, signal: AbortSignal): Promise<FilesOutcome>;
  /** The same files for a conversation whose changes nobody else sees. */
  fork(): AgentFiles;
}

/** What a commit is bound to. */
export interface CommitBinding {
  readonly decision?: CommitDecision;
}

export type FilesOutcome =
  | {
      readonly kind: 'committed';
      /** What the commit wrote, with paths from the root of the workspace. */
      readonly patch: readonly FilePatch[];
      /** Sentences about what the commit could not keep, such as hard links. */
      readonly warnings: readonly string[];
    }
  | (CommitOutcome & { readonly kind: 'conflict' });

/** Files whose changes are kept in an overlay until it is committed or dropped. */
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

/** The files at which two overlays on the same base differ. A directory removed as a whole is not listed file by file. */
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
