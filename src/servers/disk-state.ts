/**
 * What the disk holds now, as far as servers have been told.
 *
 * Whatever is learned of a change, from the watcher, from a commit of ours, or by looking at a file that is
 * about to be used, passes through `report`, so that every server hears of it and every cached answer that
 * rested on the old state is left behind.
 *
 * Invariant: `epoch` grows with every change learned of; two answers of one epoch are about one disk.
 */
import { statSync } from 'node:fs';
import { Channel } from '../base/channel.ts';
import { DiskSource } from '../workspace/disk-source.ts';
import type { FileEvent } from '../workspace/watcher.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

interface Seen {
  readonly stamp: string;
  /** Read on demand, for the stamp above. */
  text?: Promise<string | undefined>;
}

export class DiskState {
  readonly changes = new Channel<readonly FileEvent[]>();
  readonly workspace: Workspace;
  readonly source: DiskSource;
  readonly #seen = new Map<WorkspacePath, Seen>();
  #epoch = 1;

  constructor(workspace: Workspace) {
    this.workspace = workspace;
    this.source = new DiskSource(workspace);
  }

  get epoch(): number {
    return this.#epoch;
  }

  exists(path: WorkspacePath): boolean {
    return this.#look(path).stamp !== absent;
  }

  /** The text at `path` as of the last look; undefined where there is none, or it is not text. */
  text(path: WorkspacePath): Promise<string | undefined> {
    const seen = this.#look(path);
    seen.text ??= this.source
      .read(path)
      .then((content) => (content?.kind === 'text' ? content.text : undefined));
    return seen.text;
  }

  /** Looks again at every path ever asked for, and reports what has changed since. */
  refresh(): void {
    const events: FileEvent[] = [];
    for (const [path, seen] of this.#seen) {
      const stamp = this.#stamp(path);
      if (stamp !== seen.stamp) events.push({ path, kind: kindOf(seen.stamp, stamp) });
    }
    if (events.length > 0) this.#learn(events);
  }

  /**
   * Takes in what somebody else says has changed; what was already known is not news. An empty report says
   * that changes were missed, and is passed on as such: anything may be different now.
   */
  report(events: readonly FileEvent[]): void {
    if (events.length === 0) {
      this.#seen.clear();
      this.#learn(events);
      return;
    }
    const news = events.filter(({ path }) => this.#seen.get(path)?.stamp !== this.#stamp(path));
    if (news.length > 0) this.#learn(news);
  }

  #learn(events: readonly FileEvent[]): void {
    this.#epoch += 1;
    for (const { path } of events) {
      if (this.#seen.has(path)) this.#seen.set(path, { stamp: this.#stamp(path) });
    }
    this.changes.emit(events);
  }

  #look(path: WorkspacePath): Seen {
    const known = this.#seen.get(path);
    if (known) return known;
    const seen = { stamp: this.#stamp(path) };
    this.#seen.set(path, seen);
    return seen;
  }

  /** Size, inode and nanosecond times change with any write that can be noticed without reading. */
  #stamp(path: WorkspacePath): string {
    const stat = statSync(this.workspace.absolute(path), { bigint: true, throwIfNoEntry: false });
    return stat?.isFile() ? `${stat.mtimeNs}:${stat.ctimeNs}:${stat.size}:${stat.ino}` : absent;
  }
}

const absent = 'absent';

function kindOf(before: string, now: string): FileEvent['kind'] {
  if (before === absent) return 'created';
  return now === absent ? 'deleted' : 'changed';
}
