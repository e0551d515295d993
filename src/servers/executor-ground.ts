/**
 * What the executors of one workspace hold in common, whichever connection they serve.
 *
 * Invariant: one disk, one watcher and one set of running servers to a workspace, however many connections use it.
 */
import { Channel } from '../base/channel.ts';
import type { ServerTransport } from '../lsp/server-options.ts';
import type { FileEvent, WorkspaceWatcher } from '../workspace/watcher.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { BaselineDiagnostics } from './baseline-diagnostics.ts';
import { CommitHistory } from './commit-history.ts';
import { DiskState } from './disk-state.ts';
import type { FileDiagnostics } from './proof.ts';
import type { ServerEvent } from './server-event.ts';
import type { ServerPool } from './server-pool.ts';
import type { LocatedServer } from './server-register.ts';
import { WorkspaceFolders } from './workspace-folders.ts';
import { WorkspaceReach } from './workspace-reach.ts';

export type TcpTransport = ServerTransport & { readonly kind: 'tcp' };

/** A server somebody else started. */
export interface Connection {
  readonly transport: TcpTransport;
  readonly located: LocatedServer;
}

export class ExecutorGround {
  readonly disk: DiskState;
  readonly reach: WorkspaceReach;
  readonly history: CommitHistory;
  readonly folders: WorkspaceFolders;
  readonly life = new AbortController();
  readonly pools = new Map<string, ServerPool>();
  readonly baselines = new Map<string, BaselineDiagnostics>();
  readonly connections = new Map<string, Connection>();
  /** What the servers say of the disk as it is, whoever asked. */
  readonly measured = new Channel<readonly FileDiagnostics[]>();
  readonly serverEvents = new Channel<ServerEvent>();
  watcher: Promise<WorkspaceWatcher> | undefined;
  /** Whether changes on disk are heard of as they happen. */
  isWatching = false;
  #isHeard = false;

  constructor(workspace: Workspace) {
    this.disk = new DiskState(workspace);
    this.reach = new WorkspaceReach(workspace, this.disk);
    this.history = new CommitHistory(this.disk);
    this.folders = new WorkspaceFolders(workspace, this.pools);
  }

  /** The first listener hears the disk; a change is passed on to the servers once, not once per connection. */
  hearDisk(listener: (events: readonly FileEvent[]) => void): void {
    if (this.#isHeard) return;
    this.#isHeard = true;
    this.disk.changes.subscribe(listener);
  }
}
