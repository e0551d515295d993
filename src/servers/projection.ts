/**
 * Making one running server show one overlay.
 *
 * Invariant: after `show` the server's view equals the disk with the effect laid over it, and the
 * difference to what it showed before is all that was sent.
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
  /** The state of the disk below what is shown. */
  readonly diskEpoch: number;
  /** Grows whenever what the server was told of files may differ from before. */
  readonly generation: number;
  /** What is shown now, as far as it differs from the disk. */
  readonly shown: OverlayEffect;
  /** The text that is shown at a path; undefined where there is no text. */
  text(path: WorkspacePath): Promise<string | undefined>;
  /** Opens documents that are about to be asked about, with the text that is shown for them. */
  open(paths: readonly WorkspacePath[]): Promise<void>;
  /** Has the server load what its answers about these files depend on; absent where it has loaded everything. */
  include?(paths: readonly WorkspacePath[] | 'everything'): Promise<void>;
  /** How many source files the server was not told to load. */
  readonly leftOut?: number;
  /** Passes on what has changed on the disk below the overlay. */
  diskChanged(events: readonly FileEvent[]): Promise<void>;
}
