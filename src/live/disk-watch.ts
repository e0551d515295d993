/**
 * The directories of one workspace, its root and the folders added to it, kept in step with the disk.
 *
 * Invariants: watching begins before the first server reads a file, so no change falls between the two. The root comes
 * first and cannot be removed; changes below an added folder reach every server that has the folder.
 */
import { abortable } from '../base/deadline.ts';
import { Failure } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { WorkspaceFolder } from '../lsp/server-options.ts';
import type { ServerPool } from '../servers/pool/server-pool.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import { WorkspaceWatcher } from '../workspace/watcher.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { rootPath } from '../workspace/workspace-path.ts';

/** The state that is kept in step with the disk. */
export interface WatchedState {
  readonly disk: DiskState;
  readonly folders: WorkspaceFolders;
  /** Ends watching when the workspace is closed. */
  readonly signal: AbortSignal;
}

/** Watches the root, and has the added folders watched. */
export class DiskWatch implements AsyncDisposable {
  readonly #state: WatchedState;
  readonly #log: Log;
  #starting: Promise<WorkspaceWatcher> | undefined;
  #watcher: WorkspaceWatcher | undefined;
  /** The next scan; callers that arrive before it starts share it. */
  #next: Promise<void> | undefined;

  constructor(state: WatchedState, log: Log) {
    this.#state = state;
    this.#log = log;
    state.disk.watchedBy(() => this.begin());
  }

  /** Whether the disk was never scanned, or the last scan failed. */
  get isDiskStateUnknown(): boolean {
    return this.#watcher?.isDiskStateUnknown ?? true;
  }

  /** Starts to watch, once. */
  begin(): Promise<WorkspaceWatcher> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /**
   * Reads every change that was made on disk before the call. Concurrent callers share a scan, which starts after the
   * last of them has called.
   */
  syncWithDisk(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    this.#next ??= Promise.resolve().then(() => {
      this.#next = undefined;
      return this.#sync();
    });
    return abortable(this.#next, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const watcher = await this.#starting?.catch(() => undefined);
    await watcher?.[Symbol.asyncDispose]();
  }

  async #sync(): Promise<void> {
    const { disk, folders, signal } = this.#state;
    const watcher = await this.begin();
    await Promise.all([watcher.syncWithDisk(signal), folders.syncWithDisk(signal)]);
    disk.refresh();
  }

  async #start(): Promise<WorkspaceWatcher> {
    const { disk, signal } = this.#state;
    const watcher = await WorkspaceWatcher.start(disk.workspace, { log: this.#log }, signal);
    disk.linksAre(watcher.links);
    watcher.changes.subscribe((events) => disk.report(events));
    this.#watcher = watcher;
    return watcher;
  }
}

interface Added {
  readonly workspace: Workspace;
  readonly watcher: WorkspaceWatcher;
}

/** The directories that the servers of a workspace work on. */
export class WorkspaceFolders implements AsyncDisposable {
  readonly #root: Workspace;
  /** The pools of the servers that work on the folders. */
  readonly #pools: () => readonly ServerPool[];
  readonly #added = new Map<string, Added>();

  constructor(root: Workspace, pools: () => readonly ServerPool[]) {
    this.#root = root;
    this.#pools = pools;
  }

  get all(): readonly WorkspaceFolder[] {
    return [folderOf(this.#root), ...this.wireAdded];
  }

  /** The added folders, each a workspace of its own for requests about its files. */
  get added(): readonly Workspace[] {
    return [...this.#added.values()].map(({ workspace }) => workspace);
  }

  /** The added folders as LSP workspace folders. */
  get wireAdded(): readonly WorkspaceFolder[] {
    return this.added.map(folderOf);
  }

  async add(workspace: Workspace, log: Log, signal: AbortSignal): Promise<void> {
    if (workspace.root === this.#root.root || this.#added.has(workspace.root)) return;
    const watcher = await WorkspaceWatcher.start(workspace, { log }, signal);
    watcher.changes.subscribe((events) => {
      const outside = events.map(({ path, kind }) => ({ uri: workspace.uri(path), kind }));
      for (const pool of this.#pools()) pool.queueOutsideEvents(outside);
    });
    this.#added.set(workspace.root, { workspace, watcher });
    await this.#tell();
  }

  /** Reports every change that was made in the added folders before the call. */
  async syncWithDisk(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#added.values()].map(({ watcher }) => watcher.syncWithDisk(signal)));
  }

  async remove(root: string): Promise<void> {
    if (root === this.#root.root) throw new RootFolder(root);
    const known = this.#added.get(root);
    if (!known) return;
    this.#added.delete(root);
    await this.#tell();
    await known.watcher[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const added = [...this.#added.values()];
    this.#added.clear();
    await Promise.all(added.map(({ watcher }) => watcher[Symbol.asyncDispose]()));
  }

  async #tell(): Promise<void> {
    for (const pool of this.#pools()) {
      // A brokered server has one root for all its clients, so a workspace with more folders needs a server of its
      // own.
      if (pool.replicas.some(({ setup }) => setup.isBrokered)) await pool.renew();
      else for (const replica of pool.replicas) replica.unheard.setFolders(this.wireAdded);
    }
  }
}

function folderOf(workspace: Workspace): WorkspaceFolder {
  return { uri: workspace.uri(rootPath), name: workspace.root };
}

class RootFolder extends Failure {
  readonly code = 'servers/root-folder';
  readonly remedy = 'Remove only folders that were added; to leave a workspace, open another.';

  constructor(root: string) {
    super(`"${root}" is the root of the workspace and cannot be removed from it`);
  }
}
