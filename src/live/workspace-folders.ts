/**
 * The directories the servers of a workspace work on: its root, and added folders.
 *
 * Invariant: the root comes first and cannot be removed; changes below an added folder reach every server that has
 * the folder.
 */
import { Failure } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { WorkspaceFolder } from '../lsp/server-options.ts';
import type { ServerPool } from '../servers/pool/server-pool.ts';
import { WorkspaceWatcher } from '../workspace/watcher.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { rootPath } from '../workspace/workspace-path.ts';

interface Added {
  readonly workspace: Workspace;
  readonly watcher: WorkspaceWatcher;
}

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
