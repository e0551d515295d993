/**
 * Keeps what is known of one workspace's disk in step with the disk.
 *
 * Invariant: watching begins before the first server reads a file, so no change falls between the two.
 */
import { abortable } from '../base/deadline.ts';
import type { Log } from '../base/log.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import { WorkspaceWatcher } from '../workspace/watcher.ts';
import type { WorkspaceFolders } from './workspace-folders.ts';

export interface WatchedGround {
  readonly disk: DiskState;
  readonly folders: WorkspaceFolders;
  readonly life: AbortController;
}

export class DiskWatch implements AsyncDisposable {
  readonly #ground: WatchedGround;
  readonly #log: Log;
  #starting: Promise<WorkspaceWatcher> | undefined;
  #watcher: WorkspaceWatcher | undefined;
  /** The look that is about to begin. */
  #next: Promise<void> | undefined;

  constructor(ground: WatchedGround, log: Log) {
    this.#ground = ground;
    this.#log = log;
  }

  /** Whether it is not known what the disk holds: nobody has looked, or looking failed. */
  get isBlind(): boolean {
    return this.#watcher?.isBlind ?? true;
  }

  /** Begins to watch, if that has not happened yet. */
  begin(): Promise<WorkspaceWatcher> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /**
   * Takes in everything that happened on disk before the call. Those who call at one moment share a look, which
   * begins after the last of them has called.
   */
  look(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    this.#next ??= Promise.resolve().then(() => {
      this.#next = undefined;
      return this.#look();
    });
    return abortable(this.#next, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const watcher = await this.#starting?.catch(() => undefined);
    await watcher?.[Symbol.asyncDispose]();
  }

  async #look(): Promise<void> {
    const { disk, folders, life } = this.#ground;
    const watcher = await this.begin();
    await Promise.all([watcher.look(life.signal), folders.look(life.signal)]);
    disk.refresh();
  }

  async #start(): Promise<WorkspaceWatcher> {
    const { disk, life } = this.#ground;
    const watcher = await WorkspaceWatcher.start(disk.workspace, { log: this.#log }, life.signal);
    watcher.changes.subscribe((events) => disk.report(events));
    this.#watcher = watcher;
    return watcher;
  }
}
