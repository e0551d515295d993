/**
 * The current state of the disk, as reported to servers.
 *
 * All changes pass through `report`, whether the watcher, a commit of ours or a check before use found them. Every
 * server is notified, and cached answers for the old state are no longer used.
 *
 * Invariant: `epoch` grows with every known change; two answers of one epoch describe the same disk.
 */
import { Channel } from '../base/channel.ts';
import { DiskSource } from './disk-source.ts';
import type { FileEvent } from './file-event.ts';
import { type FileStamp, isSameStamp, stampAt } from './file-stamp.ts';
import type { Workspace } from './workspace.ts';
import type { WorkspacePath } from './workspace-path.ts';

interface Seen {
  /** Absent if there is no file. */
  readonly stamp: FileStamp | undefined;
  /** Read on demand, for the stamp above. */
  text?: Promise<string | undefined>;
}

export class DiskState {
  readonly changes = new Channel<readonly FileEvent[]>();
  readonly workspace: Workspace;
  readonly source: DiskSource;
  readonly #seen = new Map<WorkspacePath, Seen>();
  /** The last reported stamps of files that were never requested, so that repeated reports are ignored. */
  readonly #reported = new Map<WorkspacePath, FileStamp | undefined>();
  #epoch = 1;

  constructor(workspace: Workspace) {
    this.workspace = workspace;
    this.source = new DiskSource(workspace);
  }

  get epoch(): number {
    return this.#epoch;
  }

  exists(path: WorkspacePath): boolean {
    return this.#look(path).stamp !== undefined;
  }

  /** The text at `path` as of the last check; undefined if the file is missing or not text. */
  text(path: WorkspacePath): Promise<string | undefined> {
    const seen = this.#look(path);
    seen.text ??= this.source
      .read(path)
      .then((content) => (content?.kind === 'text' ? content.text : undefined));
    return seen.text;
  }

  /** Checks every requested path again and reports changes. */
  refresh(): void {
    const events: FileEvent[] = [];
    for (const [path, seen] of this.#seen) {
      const stamp = this.#stamp(path);
      if (this.#isSame(path, seen.stamp, stamp)) {
        // Once the file times are old enough to be reliable, the content need not be compared again.
        if (seen.stamp?.content !== stamp?.content) this.#seen.set(path, { ...seen, stamp });
      } else events.push({ path, kind: kindOf(seen.stamp, stamp) });
    }
    if (events.length > 0) this.#learn(events);
  }

  /**
   * Takes reported changes; known ones are ignored. An empty report means that changes were missed and is passed on
   * as such: any file may have changed.
   */
  report(events: readonly FileEvent[]): void {
    if (events.length === 0) {
      this.#seen.clear();
      this.#reported.clear();
      this.#learn(events);
      return;
    }
    const changed = events.filter(({ path }) => !this.#isKnown(path));
    if (changed.length > 0) this.#learn(changed);
  }

  #isKnown(path: WorkspacePath): boolean {
    const seen = this.#seen.get(path);
    if (seen === undefined && !this.#reported.has(path)) return false;
    return this.#isSame(path, seen ? seen.stamp : this.#reported.get(path), this.#stamp(path));
  }

  #learn(events: readonly FileEvent[]): void {
    this.#epoch += 1;
    for (const { path } of events) {
      const stamp = this.#stamp(path);
      if (this.#seen.has(path)) this.#seen.set(path, { stamp });
      else this.#remember(path, stamp);
    }
    this.changes.emit(events);
  }

  /** Only the latest are stored; reporting an old change twice costs little and is never wrong. */
  #remember(path: WorkspacePath, stamp: FileStamp | undefined): void {
    this.#reported.delete(path);
    this.#reported.set(path, stamp);
    if (this.#reported.size <= rememberedPaths) return;
    const [oldest] = this.#reported.keys();
    if (oldest !== undefined) this.#reported.delete(oldest);
  }

  #look(path: WorkspacePath): Seen {
    const known = this.#seen.get(path);
    if (known) return known;
    const seen = { stamp: this.#stamp(path) };
    this.#seen.set(path, seen);
    return seen;
  }

  #stamp(path: WorkspacePath): FileStamp | undefined {
    return stampAt(this.workspace.absolute(path));
  }

  #isSame(path: WorkspacePath, earlier: FileStamp | undefined, now: FileStamp | undefined): boolean {
    return isSameStamp(earlier, now, this.workspace.absolute(path));
  }
}

const rememberedPaths = 4096;

function kindOf(before: FileStamp | undefined, now: FileStamp | undefined): FileEvent['kind'] {
  if (before === undefined) return 'created';
  return now === undefined ? 'deleted' : 'changed';
}
