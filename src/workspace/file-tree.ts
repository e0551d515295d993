/**
 * The files of a workspace as of the last scan, and the changes since then.
 *
 * Invariants: a scan reports each path once, and every difference below the scanned places since the last scan; the
 * observer is told to watch a directory before its entries are read, so that later changes in it are observed.
 * Ignored directories are not entered, links are not followed.
 */
import { type Dirent, readdirSync, type Stats } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { isUnreadable } from '../base/errno.ts';
import { clockTickMs, entryStatOf, type FileStamp, isSameStamp, stampOf, statOf } from './disk-state.ts';
import { type FileEvent, joinEvent } from './file-event.ts';
import { IgnoreRules, isIgnoreTerm, isManifest } from './ignore-rules.ts';
import type { Workspace } from './workspace.ts';
import { baseName, childOf, parentOf, rootPath, type WorkspacePath } from './workspace-path.ts';

/** Notified of the directories of the tree. */
export interface DirectoryObserver {
  entered(directory: WorkspacePath): void;
  left(directory: WorkspacePath): void;
}

/** Files that were only listed have the time of the listing: a later change has a later time. */
type Known = FileStamp | { readonly listedAtMs: number };

interface Directory {
  readonly files: Map<string, Known>;
  readonly directories: Set<string>;
}

/** The event loop runs after this many files. */
const filesAtOnce = 512;

export class FileTree {
  /** The symbolic links that were seen, to files and to directories. */
  readonly links = new Set<WorkspacePath>();
  readonly #workspace: Workspace;
  readonly #observer: DirectoryObserver;
  readonly #directories = new Map<WorkspacePath, Directory>();
  #rules: IgnoreRules;
  #steps = 0;

  constructor(workspace: Workspace, observer: DirectoryObserver) {
    this.#workspace = workspace;
    this.#observer = observer;
    this.#rules = new IgnoreRules(workspace);
  }

  /** Whether the root existed at the last scan. */
  get isRooted(): boolean {
    return this.#directories.has(rootPath);
  }

  /** Lists the whole workspace without checking files; later scans report changes from here on. */
  async list(): Promise<void> {
    await this.#enter(rootPath, undefined);
  }

  /** Scans places that may have changed: files, and directories with everything below them. */
  async scan(paths: Iterable<WorkspacePath>): Promise<readonly FileEvent[]> {
    const events = new Map<WorkspacePath, FileEvent>();
    for (const path of this.#placesOf(paths)) {
      if (this.#isLong()) await setImmediate();
      await this.#lookAt(path, 'told', events);
    }
    return [...events.values()];
  }

  /** Scans everything. */
  async rescan(): Promise<readonly FileEvent[]> {
    const events = new Map<WorkspacePath, FileEvent>();
    this.#rules = new IgnoreRules(this.#workspace);
    await this.#lookInside(rootPath, events);
    return [...events.values()];
  }

  /**
   * A manifest decides whether its neighbours are build output; a place in an unknown directory means that directory.
   */
  #placesOf(paths: Iterable<WorkspacePath>): ReadonlySet<WorkspacePath> {
    const places = new Set<WorkspacePath>();
    for (const path of paths) {
      let place = path;
      while (place !== rootPath && !this.#directories.has(parentOf(place))) place = parentOf(place);
      if (this.#rules.ignores(place)) continue;
      places.add(place);
      const name = baseName(place);
      if (isIgnoreTerm(name) || (isManifest(name) && this.#isUnreported(place))) {
        this.#rules = new IgnoreRules(this.#workspace);
        places.add(parentOf(place));
      }
    }
    return places;
  }

  /** Whether the file was created or deleted. */
  #isUnreported(path: WorkspacePath): boolean {
    const isKnown = this.#directories.get(parentOf(path))?.files.has(baseName(path)) ?? false;
    return isKnown !== (this.#stat(path) !== undefined);
  }

  async #lookAt(path: WorkspacePath, why: 'told' | 'listed', events: Events): Promise<void> {
    if (path === rootPath) return this.#lookInside(rootPath, events);
    const parent = this.#directories.get(parentOf(path));
    // The directory was deleted while its entries were being scanned.
    if (!parent) return;
    const name = baseName(path);
    const stat = this.#stat(path);
    if (stat?.isDirectory()) {
      this.#lookAtFile(parent, path, { why, stat: undefined }, events);
      if (this.#rules.ignoresDirectory(parentOf(path), name)) return;
      parent.directories.add(name);
      return this.#lookInside(path, events);
    }
    if (parent.directories.delete(name)) this.#leave(path, events);
    this.#lookAtFile(parent, path, { why, stat }, events);
  }

  #lookAtFile(parent: Directory, path: WorkspacePath, { why, stat }: Sight, events: Events): void {
    const name = baseName(path);
    const before = parent.files.get(name);
    if (stat === undefined) {
      if (parent.files.delete(name)) tell(events, path, 'deleted');
      return;
    }
    const absolute = this.#workspace.absolute(path);
    const now = stampOf(stat, absolute);
    parent.files.set(name, now);
    if (before === undefined) tell(events, path, 'created');
    else if ('listedAtMs' in before) {
      const isLater = Math.max(now.changedMs, now.modifiedMs) > before.listedAtMs - clockTickMs;
      if (why === 'told' || isLater) tell(events, path, 'changed');
    } else if (!isSameStamp(before, now, absolute)) tell(events, path, 'changed');
  }

  /**
   * Compares a directory with its known state. It is entered again even if it is known: another directory may have
   * replaced it under the same name.
   */
  async #lookInside(path: WorkspacePath, events: Events): Promise<void> {
    const known = this.#directories.get(path);
    if (!known) return this.#enter(path, events);
    const entries = this.#entries(path);
    if (!entries) return this.#leave(path, events);
    const names = new Set(entries.map(({ name }) => name));
    for (const name of [...known.files.keys(), ...known.directories]) {
      if (!names.has(name)) await this.#lookAt(childOf(path, name), 'listed', events);
    }
    for (const { name } of entries) {
      if (this.#isLong()) await setImmediate();
      const place = childOf(path, name);
      if (known.directories.has(name) && this.#rules.ignoresDirectory(path, name)) {
        // A new manifest made it build output. It still exists, so its files are not reported.
        known.directories.delete(name);
        this.#leave(place, new Map());
      } else if (!this.#rules.ignoresFile(name)) await this.#lookAt(place, 'listed', events);
    }
  }

  /** Adds an unknown directory. Without `events`, its files are not reported. */
  async #enter(path: WorkspacePath, events: Events | undefined): Promise<void> {
    const listedAtMs = Date.now();
    const entries = this.#entries(path);
    if (!entries) return;
    const directory: Directory = { files: new Map(), directories: new Set() };
    this.#directories.set(path, directory);
    for (const entry of entries) {
      if (this.#isLong()) await setImmediate();
      const place = childOf(path, entry.name);
      const isIgnoredFile = this.#rules.ignoresFile(entry.name);
      if (events) {
        if (!isIgnoredFile) await this.#lookAt(place, 'listed', events);
      } else if (this.#isDirectory(entry, place)) await this.#enterBelow(path, entry.name);
      else if (!isIgnoredFile) directory.files.set(entry.name, { listedAtMs });
    }
  }

  async #enterBelow(path: WorkspacePath, name: string): Promise<void> {
    if (this.#rules.ignoresDirectory(path, name)) return;
    this.#directories.get(path)?.directories.add(name);
    await this.#enter(childOf(path, name), undefined);
  }

  #leave(path: WorkspacePath, events: Events): void {
    const known = this.#directories.get(path);
    if (!known) return;
    this.#directories.delete(path);
    this.#observer.left(path);
    for (const name of known.files.keys()) {
      this.links.delete(childOf(path, name));
      tell(events, childOf(path, name), 'deleted');
    }
    for (const name of known.directories) this.#leave(childOf(path, name), events);
  }

  /** The entries of a directory that the observer watches; undefined if it cannot be read. */
  #entries(path: WorkspacePath): readonly Dirent[] | undefined {
    try {
      this.#observer.left(path);
      this.#observer.entered(path);
      const entries = readdirSync(this.#workspace.absolute(path), { withFileTypes: true });
      for (const entry of entries) if (entry.isSymbolicLink()) this.links.add(childOf(path, entry.name));
      return entries;
    } catch (thrown) {
      if (isUnreadable(thrown)) return undefined;
      throw thrown;
    }
  }

  /** Of a file, or of a link's target if that is a file; otherwise of the entry itself. */
  #stat(path: WorkspacePath): Stats | undefined {
    const absolute = this.#workspace.absolute(path);
    const entry = entryStatOf(absolute);
    if (!entry?.isSymbolicLink()) {
      this.links.delete(path);
      return entry;
    }
    this.links.add(path);
    const target = statOf(absolute);
    return target?.isFile() ? target : entry;
  }

  #isDirectory(entry: Dirent, path: WorkspacePath): boolean {
    if (entry.isFile() || entry.isSymbolicLink()) return false;
    // Some file systems do not give the type of an entry in a listing.
    return entry.isDirectory() || this.#stat(path)?.isDirectory() === true;
  }

  /** Whether to let the event loop run. */
  #isLong(): boolean {
    this.#steps += 1;
    return this.#steps % filesAtOnce === 0;
  }
}

type Events = Map<WorkspacePath, FileEvent>;

interface Sight {
  readonly why: 'told' | 'listed';
  readonly stat: Stats | undefined;
}

/** A file created and deleted within one scan is not reported. */
function tell(events: Events, path: WorkspacePath, kind: FileEvent['kind']): void {
  if (kind === 'deleted' && events.get(path)?.kind === 'created') events.delete(path);
  else joinEvent(events, { path, kind });
}
