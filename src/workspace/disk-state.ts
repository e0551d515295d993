/**
 * The current state of the disk, as reported to servers, and the stamps by which a change of a file is known.
 *
 * All changes pass through `report`, whether the watcher, a commit of ours or a check before use found them. Every
 * server is notified, and cached answers for the old state are no longer used.
 *
 * Invariants: `epoch` grows with every known change; two answers of one epoch describe the same disk. A change of a file is
 * reported under each name that links in the workspace give it.
 */

import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { Channel } from '../base/channel.ts';
import { errnoOf, isMissing } from '../base/errno.ts';
import { sha256 } from '../storage/hash.ts';
import { DiskSource } from './disk-source.ts';
import type { FileEvent } from './file-event.ts';
import { isDirectoryAt, LinkNames } from './link-names.ts';
import type { Workspace } from './workspace.ts';
import type { WorkspacePath } from './workspace-path.ts';

interface Seen {
  readonly absolute: string;
  /** Absent if there is no file. */
  readonly stamp: FileStamp | undefined;
  /**
   * Whether the state with this stamp was passed on. A file that is looked at for the first time may have changed
   * since a server read it, and the report of that is still to come.
   */
  readonly isReported: boolean;
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
  #links: ReadonlySet<WorkspacePath> = new Set();
  #names: { readonly epoch: number; readonly names: LinkNames } | undefined;
  #watching: () => Promise<unknown> = async () => undefined;

  constructor(workspace: Workspace) {
    this.workspace = workspace;
    this.source = new DiskSource(workspace);
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** `begin` starts the watcher, once, which then says which links there are. */
  watchedBy(begin: () => Promise<unknown>): void {
    this.#watching = begin;
  }

  /** The symbolic links of the workspace, kept up to date by the watcher from before any server reads a file. */
  linksAre(links: ReadonlySet<WorkspacePath>): void {
    this.#links = links;
  }

  /** The other names that links give to files; undefined if no link leads to anything in the workspace. */
  async linkNames(): Promise<LinkNames | undefined> {
    await this.#watching();
    return this.#links.size === 0 ? undefined : this.#namesOfLinks();
  }

  /** A link that comes, goes or leads elsewhere is a change of the disk. */
  #namesOfLinks(): LinkNames {
    if (this.#names?.epoch !== this.#epoch)
      this.#names = { epoch: this.#epoch, names: new LinkNames(this.workspace, this.#links) };
    return this.#names.names;
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
      const stat = statOf(seen.absolute);
      // Hundreds of files may have been requested, and all are looked at several times for each answer.
      if (isUnchanged(seen.stamp, stat)) continue;
      const stamp = stampOfFile(stat, seen.absolute);
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
    if (events.length === 0 || this.#moveDirectories(events)) {
      this.#seen.clear();
      this.#reported.clear();
      this.#learn([]);
      return;
    }
    const changed = events.filter(({ path }) => !this.#isKnown(path));
    if (changed.length > 0) this.#learn(changed);
  }

  /** Whether a link to a directory comes, goes or leads elsewhere: every file below it has changed, and none is reported. */
  #moveDirectories(events: readonly FileEvent[]): boolean {
    return events.some(
      ({ path }) =>
        this.#names?.names.leadsToDirectory(path) === true ||
        (this.#links.has(path) && isDirectoryAt(this.workspace.absolute(path))),
    );
  }

  #isKnown(path: WorkspacePath): boolean {
    const seen = this.#seen.get(path);
    if (seen === undefined ? !this.#reported.has(path) : !seen.isReported) return false;
    return this.#isSame(path, seen ? seen.stamp : this.#reported.get(path), this.#stamp(path));
  }

  #learn(found: readonly FileEvent[]): void {
    this.#epoch += 1;
    const events = this.#links.size === 0 ? found : this.#underEachName(found);
    for (const { path } of events) {
      const stamp = this.#stamp(path);
      const seen = this.#seen.get(path);
      if (seen) this.#seen.set(path, { absolute: seen.absolute, stamp, isReported: true });
      else this.#remember(path, stamp);
    }
    this.changes.emit(events);
  }

  #underEachName(events: readonly FileEvent[]): readonly FileEvent[] {
    const names = this.#namesOfLinks();
    const known = new Set(events.map(({ path }) => path));
    const more = events.flatMap(({ path, kind }) => names.of(path).map((name) => ({ path: name, kind })));
    return [...events, ...more.filter(({ path }) => !known.has(path))];
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
    const absolute = this.workspace.absolute(path);
    const stamp = stampAt(absolute);
    const isReported = this.#reported.has(path) && isSameStamp(this.#reported.get(path), stamp, absolute);
    const seen = { absolute, stamp, isReported };
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

/**
 * Identifies the state of a file without reading it: times, size and inode.
 *
 * File system clocks are coarse: two writes within one tick leave the same times. The stamp of a recently written
 * file therefore includes a hash of its content.
 *
 * Invariant: two stamps of one file are equal only if nothing was written to it between them.
 */
export interface FileStamp {
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly size: number;
  readonly inode: number;
  /** Present if the times alone would not show a further write. */
  readonly content?: string;
}

/** Longer than a tick of any clock that local file systems use. */
export const clockTickMs = 20;

/** The stamp of the file at an absolute path, links followed; undefined if there is no file. */
export function stampAt(absolute: string): FileStamp | undefined {
  return stampOfFile(statOf(absolute), absolute);
}

function stampOfFile(stat: Stats | undefined, absolute: string): FileStamp | undefined {
  return stat?.isFile() ? stampOf(stat, absolute) : undefined;
}

/** As `isSameStamp`, but only where the times alone show it. */
function isUnchanged(earlier: FileStamp | undefined, now: Stats | undefined): boolean {
  if (earlier === undefined || now === undefined) return earlier === now;
  return (
    earlier.content === undefined &&
    earlier.modifiedMs === now.mtimeMs &&
    earlier.changedMs === now.ctimeMs &&
    earlier.size === now.size &&
    earlier.inode === now.ino
  );
}

/** The stamp for a file status. */
export function stampOf(stat: Stats, absolute: string): FileStamp {
  const stamp = {
    modifiedMs: stat.mtimeMs,
    changedMs: stat.ctimeMs,
    size: stat.size,
    inode: stat.ino,
  };
  const isSettled = Date.now() - Math.max(stat.mtimeMs, stat.ctimeMs) > clockTickMs;
  return isSettled || !stat.isFile() ? stamp : { ...stamp, content: contentAt(absolute, stat.size) };
}

/** Whether nothing was written to the file at `absolute` between an earlier stamp and the given one. */
export function isSameStamp(
  earlier: FileStamp | undefined,
  now: FileStamp | undefined,
  absolute: string,
): boolean {
  if (earlier === undefined || now === undefined) return earlier === now;
  if (
    earlier.modifiedMs !== now.modifiedMs ||
    earlier.changedMs !== now.changedMs ||
    earlier.size !== now.size ||
    earlier.inode !== now.inode
  ) {
    return false;
  }
  if (earlier.content === undefined) return true;
  return earlier.content !== unread && earlier.content === (now.content ?? contentAt(absolute, now.size));
}

/** Never equal to anything: the file is too large to be read for this, missing, or not accessible. */
const unread = '';
const readableBytes = 4_000_000;

function contentAt(absolute: string, size: number): string {
  if (size > readableBytes) return unread;
  try {
    return sha256(readFileSync(absolute));
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return unread;
  }
}

/** The status of what a path leads to, links followed; undefined if there is nothing, also if a parent of it is a file. */
export function statOf(absolute: string): Stats | undefined {
  return unlessMissing(() => statSync(absolute, { throwIfNoEntry: false }));
}

/** As `statOf`, of the entry itself. */
export function entryStatOf(absolute: string): Stats | undefined {
  return unlessMissing(() => lstatSync(absolute, { throwIfNoEntry: false }));
}

function unlessMissing(look: () => Stats | undefined): Stats | undefined {
  try {
    return look();
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}
