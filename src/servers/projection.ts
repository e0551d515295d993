/**
 * Makes one running server show one overlay.
 *
 * Terms. The *effect* of an overlay lists every path at which it differs from the disk, with the content there or
 * `removed`. The *shown* effect is that of the last `show`; before the first it is empty or, in a mount, the
 * configuration the server was started with. *Buffers* show an effect as the text of open documents over the real files;
 * a *mount* shows it as files in a view or copy of the workspace that the server runs in. The *generation* counts the
 * calls of `show` and `diskChanged`. The *disk epoch* counts the changes that DiskState knows of.
 *
 * Invariants, for calls that the holder of the replica makes one after another. "The disk" is the disk as of the last
 * `diskChanged`, or later:
 * 1. After `show(effect)`, `text` returns the text of the effect at its paths and that of the disk at all others.
 * 2. In buffers, each text of the effect is then an open document, each removed path is closed and reported as deleted,
 *    and every other open document has the text of the disk. Other contents (bytes, links) are not shown, so
 *    `chooseProjectionMode` chooses buffers only for effects of texts and removals.
 * 3. In a mount, the files then differ from the disk at exactly the paths of the effect, apart from files that programs in
 *    the mount wrote themselves. Every open document has the text of its file.
 * 4. Only differences to the shown effect are sent: a document that has the text already is not changed (it may be
 *    reopened, for servers that keep preambles), and a file of a mount that has the content already is neither written
 *    nor reported. One exception: in buffers a removed path is reported as deleted at every `show`.
 * 5. A path that leaves the effect goes back to the disk: its open document gets the text of the disk, or is closed if
 *    there is none; in a mount its file is restored. So `show(noEffect)` leaves nothing of an overlay.
 * 6. Changes on disk come first: `Replica.show` passes the queued ones to `diskChanged` before it calls `show`. They do
 *    not alter a path of the shown effect; that path gets the content of the disk when it leaves the effect.
 * 7. The generation grows before anything is sent, so an answer kept with its generation is valid while that is the
 *    current one. `diskEpoch` may be ahead of what the server was sent.
 */
import type { LanguageServer } from '../lsp/language-server.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { OverlayEffect } from './overlay-effect.ts';
import type { LoadScope } from './scope/load-scope.ts';
import type { ServerDefinition } from './server-definition.ts';

export interface ProjectionParts {
  readonly server: LanguageServer;
  readonly definition: ServerDefinition;
  /** The workspace as the server sees it. */
  readonly workspace: Workspace;
  readonly disk: DiskState;
  /** How much of the workspace the server loads; absent: all of it. */
  readonly scope?: LoadScope | undefined;
}

export interface Projection {
  /** The URI by which the server knows a path. */
  uri(path: WorkspacePath): string;
  show(effect: OverlayEffect): Promise<void>;
  /** The current epoch of the disk below the overlay. */
  readonly diskEpoch: number;
  /** Grows whenever the files that the server was sent may differ from before. */
  readonly generation: number;
  /** The effect that is shown now. */
  readonly shown: OverlayEffect;
  /** The text at a path under an effect, that shown now unless another is given; undefined if there is no text. */
  text(path: WorkspacePath, shown?: OverlayEffect): Promise<string | undefined>;
  /** Opens documents for the next requests, with the text shown for them. */
  open(paths: readonly WorkspacePath[]): Promise<void>;
  /** Makes the server load the files that its answers about `paths` depend on; absent if it loads everything. */
  include?(paths: readonly WorkspacePath[] | 'everything'): Promise<void>;
  /** How many source files are outside the load scope. */
  readonly leftOut?: number;
  /** Applies changes on the disk below the overlay. */
  diskChanged(events: readonly FileEvent[]): Promise<void>;
}
