/**
 * Reports changes on disk inside a workspace, except in ignored directories.
 *
 * Notifications of the system are hints where to scan; the reported changes are the differences that a scan finds.
 * Changes are debounced and reported in batches; a caller that needs them at once calls `syncWithDisk`.
 *
 * Invariants: `epoch` has grown before a listener receives the change; a batch names a path once; after
 * `syncWithDisk`, all changes before the call have been reported. An empty batch means that the scan failed, and any
 * file may have changed.
 */

import { Channel } from '../base/channel.ts';
import { errnoOf, isUnreadable } from '../base/errno.ts';
import { messageOf } from '../base/failure.ts';
import { FifoLock } from '../base/fifo-lock.ts';
import type { Log } from '../base/log.ts';
import { neverAborts } from '../base/never-aborts.ts';
import { statOf } from './disk-state.ts';
import type { FileEvent } from './file-event.ts';
import { FileTree } from './file-tree.ts';
import { openDirectoryWatch } from './internal/directory-watch.ts';
import { openTreeWatch } from './internal/tree-watch.ts';
import type { NativeWatch, OpenNativeWatch } from './native-watch.ts';
import type { Workspace } from './workspace.ts';
import type { WorkspacePath } from './workspace-path.ts';

export interface WatcherOptions {
  readonly log: Log;
  /** The notification mechanism; default: that of this system. */
  readonly native?: OpenNativeWatch;
}

/** Changes that follow each other faster than this are reported together. */
const quietMs = 150;
/** Continuous changes are reported at this interval. */
const longestMs = 1000;

export class WorkspaceWatcher implements AsyncDisposable {
  readonly changes = new Channel<readonly FileEvent[]>();
  readonly #workspace: Workspace;
  readonly #log: Log;
  readonly #openNative: OpenNativeWatch;
  readonly #tree: FileTree;
  readonly #looking = new FifoLock();
  #native: NativeWatch | undefined;
  /** Why the system refused to watch a directory. */
  #refusal: unknown;
  /** Places that may have changed; `everywhere` if unknown. */
  #pending: Set<WorkspacePath> | 'everywhere' = new Set();
  #rootInode: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #firstAtMs = 0;
  #lastAtMs = 0;
  /** The report started by the timer. */
  #telling: Promise<void> = Promise.resolve();
  #isDiskStateUnknown = false;
  #epoch = 0;

  private constructor(workspace: Workspace, { log, native = openNativeWatch }: WatcherOptions) {
    this.#workspace = workspace;
    this.#log = log;
    this.#openNative = native;
    this.#tree = new FileTree(workspace, {
      entered: (directory) => this.#enter(directory),
      left: (directory) => this.#native?.leave(workspace.absolute(directory)),
    });
  }

  static async start(
    workspace: Workspace,
    options: WatcherOptions,
    signal: AbortSignal,
  ): Promise<WorkspaceWatcher> {
    const watcher = new WorkspaceWatcher(workspace, options);
    await watcher.#watchRoot();
    await watcher.#tree.list();
    await watcher.#minding();
    // No file has been read yet, so the current state is the start of the comparison and is not reported.
    if (!watcher.isWatching) await watcher.#tree.rescan();
    if (signal.aborted) {
      await watcher[Symbol.asyncDispose]();
      signal.throwIfAborted();
    }
    return watcher;
  }

  /** Whether changes are observed as they happen. If not, every sync scans the whole tree. */
  get isWatching(): boolean {
    return this.#native !== undefined && this.#tree.isRooted;
  }

  /** The symbolic links in the workspace as of the last scan. */
  get links(): ReadonlySet<WorkspacePath> {
    return this.#tree.links;
  }

  /** Whether the last scan failed, so that the state of the disk is unknown. */
  get isDiskStateUnknown(): boolean {
    return this.#isDiskStateUnknown;
  }

  /** Grows with every batch of changes; a result computed at the current epoch is current. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Reports everything that happened before the call, at once. */
  async syncWithDisk(signal: AbortSignal): Promise<void> {
    if (this.#inode() !== this.#rootInode) {
      await this.#watchRoot();
      this.#pending = 'everywhere';
    }
    if (this.#native?.settled) await this.#native.settled();
    else this.#pending = 'everywhere';
    // Even if nothing is pending: a scan that the timer began may not have reported its changes yet.
    await this.#tell(signal);
  }

  /** Reports pending changes and stops. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await this.#telling;
    if (this.#hasUnreportedChanges) await this.#tell(neverAborts());
    await this.#close();
    clearTimeout(this.#timer);
  }

  get #hasUnreportedChanges(): boolean {
    return this.#pending === 'everywhere' || this.#pending.size > 0;
  }

  /** Watches the directory that is at the root's path now. */
  async #watchRoot(): Promise<void> {
    await this.#close();
    this.#rootInode = this.#inode();
    try {
      if (this.#rootInode === undefined) throw new Error('the root of the workspace does not exist');
      this.#native = await this.#openNative(this.#workspace.root, {
        received: (absolute) => this.#receive(absolute),
        lost: (reason) => this.#lose(reason),
      });
    } catch (thrown) {
      this.#warnUnwatched(thrown);
    }
  }

  #inode(): number | undefined {
    return statOf(this.#workspace.root)?.ino;
  }

  #enter(directory: WorkspacePath): void {
    try {
      this.#native?.enter(this.#workspace.absolute(directory));
    } catch (thrown) {
      // An unreadable directory is not watched; any other error means that the system is out of watches.
      if (!isUnreadable(thrown)) this.#refusal ??= thrown;
    }
  }

  /** A partial watch is useless: once the system has refused a directory, every sync scans all of them. */
  async #minding(): Promise<void> {
    const refusal = this.#refusal;
    if (refusal === undefined) return;
    this.#refusal = undefined;
    await this.#close();
    this.#warnUnwatched(refusal);
  }

  async #close(): Promise<void> {
    const native = this.#native;
    this.#native = undefined;
    try {
      await native?.[Symbol.asyncDispose]();
    } catch (thrown) {
      // Deleting a directory has already removed its watch.
      this.#log.debug('workspace.unwatch-failed', {
        code: 'workspace/unwatch-failed',
        reason: messageOf(thrown),
      });
    }
  }

  #warnUnwatched(thrown: unknown): void {
    this.#log.warning('workspace.unwatched', {
      code: 'workspace/unwatched',
      reason: messageOf(thrown),
      consequence: 'the workspace is scanned before every answer, which takes longer',
      ...(errnoOf(thrown) === 'ENOSPC' && { remedy: 'Raise fs.inotify.max_user_watches (sysctl).' }),
      ...(errnoOf(thrown) === 'EMFILE' && { remedy: 'Raise fs.inotify.max_user_instances (sysctl).' }),
    });
  }

  #receive(absolute: string): void {
    if (this.#pending !== 'everywhere') this.#pending.add(this.#workspace.path(absolute));
    this.#schedule();
  }

  #lose(reason: string): void {
    this.#log.info('workspace.changes-missed', { code: 'workspace/changes-missed', reason });
    this.#pending = 'everywhere';
    this.#schedule();
  }

  /** The timer is not restarted by every event; it checks the clock when it fires. */
  #schedule(): void {
    this.#lastAtMs = performance.now();
    if (this.#timer !== undefined) return;
    this.#firstAtMs = this.#lastAtMs;
    this.#wind(quietMs);
  }

  #wind(delayMs: number): void {
    this.#timer = setTimeout(() => {
      const now = performance.now();
      const dueMs = Math.min(this.#lastAtMs + quietMs, this.#firstAtMs + longestMs) - now;
      if (dueMs >= 1) return this.#wind(dueMs);
      this.#timer = undefined;
      this.#telling = this.#tell(neverAborts()).catch((thrown: unknown) => {
        this.#log.error('workspace.listener-failed', {
          code: 'workspace/listener-failed',
          reason: messageOf(thrown),
        });
      });
    }, delayMs).unref();
  }

  async #tell(signal: AbortSignal): Promise<void> {
    using _turn = await this.#looking.acquire(signal);
    const pending = this.#pending;
    if (!this.#hasUnreportedChanges) return;
    this.#pending = new Set();
    const batch = await this.#differences(pending);
    await this.#minding();
    if (batch?.length === 0) return;
    this.#epoch += 1;
    this.changes.emit(batch ?? []);
  }

  /** The result of a scan; undefined if it fails. */
  async #differences(
    pending: ReadonlySet<WorkspacePath> | 'everywhere',
  ): Promise<readonly FileEvent[] | undefined> {
    try {
      const found = await (pending === 'everywhere' ? this.#tree.rescan() : this.#tree.scan(pending));
      this.#isDiskStateUnknown = false;
      return found;
    } catch (thrown) {
      this.#isDiskStateUnknown = true;
      this.#pending = 'everywhere';
      this.#log.warning('workspace.look-failed', {
        code: 'workspace/look-failed',
        reason: messageOf(thrown),
      });
      return undefined;
    }
  }
}

/** The mechanism of this system. */
const openNativeWatch: OpenNativeWatch = (root, listener) =>
  process.platform === 'linux' ? openDirectoryWatch(listener) : openTreeWatch(root, listener);
