import { setImmediate } from 'node:timers/promises';
import { FifoLock } from '../../base/fifo-lock.ts';
import { fieldOf } from '../../base/record.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import { parseWorkspacePath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { parseLooseJson, stringsIn } from './keys/loose-json.ts';
import { directoryOf, isConfigFile, type ReachFamily, sourceExtensions, suffixOf } from './reach-family.ts';
import {
  type ComparedTexts,
  type ImportedFiles,
  type OverlayTexts,
  type Reach,
  ReachGraph,
  type Survey,
} from './reach-graph.ts';

/** Access of the index to the disk. */
export interface ReachFiles {
  /** Every file of the workspace with one of these extensions (without dot). */
  list(extensions: ReadonlySet<string>, signal: AbortSignal): Promise<readonly WorkspacePath[]>;
  /**
   * The text at `path`, or undefined if there is no text file. May return without a promise: thousands of small files
   * are read several times faster that way, and the index yields in between.
   */
  readText(path: WorkspacePath, signal: AbortSignal): string | undefined | Promise<string | undefined>;
}

export interface ReachIndexOptions {
  readonly family: ReachFamily;
  /** The extensions of source files; default: those of the family. The family `all` has none of its own. */
  readonly extensions?: ReadonlySet<string>;
}

/**
 * The import graph of one workspace and family, read from disk on first use and updated by events.
 *
 * Invariant: an answer includes every event reported before the request; a refresh that is aborted leaves unread
 * files marked as stale.
 */
export class ReachIndex {
  readonly #family: ReachFamily;
  readonly #extensions: ReadonlySet<string>;
  readonly #files: ReachFiles;
  readonly #refreshing = new FifoLock();
  readonly #graph: ReachGraph;
  /** The files in the graph, and those that must be read again. */
  readonly #known = new Set<WorkspacePath>();
  readonly #stale = new Set<WorkspacePath>();
  /** Configurations that others extend, whatever their name. */
  readonly #extended = new Set<WorkspacePath>();
  #mustList = true;

  constructor(options: ReachIndexOptions, files: ReachFiles) {
    this.#family = options.family;
    this.#extensions = options.extensions ?? sourceExtensions(options.family);
    this.#files = files;
    this.#graph = new ReachGraph(options.family);
  }

  /** Reports changes on disk. An empty batch means that events were lost: everything is read again. */
  invalidate(events: readonly FileEvent[]): void {
    if (events.length === 0) {
      this.#mustList = true;
      for (const path of this.#known) this.#stale.add(path);
    }
    for (const { path, kind } of events) {
      if (this.#isWanted(path)) this.#stale.add(path);
      else if (kind === 'created') this.#mustList = true;
      else if (kind === 'deleted') this.#staleBelow(path);
    }
  }

  /** Updates the graph ahead of the first request. */
  async refresh(signal: AbortSignal): Promise<void> {
    if (this.#isFresh) return;
    using _turn = await this.#refreshing.acquire(signal);
    if (this.#mustList) await this.#list(signal);
    // Reading a configuration may reveal one that it extends.
    await this.#readAll(() => [...this.#stale], signal);
  }

  /** The files whose diagnostics may differ between the disk and the overlay that shows these texts. */
  async reach(overlay: OverlayTexts, signal: AbortSignal): Promise<Reach> {
    await this.refresh(signal);
    return this.#graph.dependentsOf([...overlay.keys()], overlay);
  }

  /** The files whose diagnostics may differ between two overlays that differ at `changed`. */
  async reachBetween(
    changed: readonly WorkspacePath[],
    sides: ComparedTexts,
    signal: AbortSignal,
  ): Promise<Reach> {
    await this.refresh(signal);
    return this.#graph.dependentsBetween(changed, sides);
  }

  /** As `reach`, but only if the graph is up to date already: no file is read. */
  reachIfFresh(overlay: OverlayTexts): Reach | undefined {
    return this.#isFresh ? this.#graph.dependentsOf([...overlay.keys()], overlay) : undefined;
  }

  /**
   * `paths` and the files that they import, each with the names of the libraries it imports. Of the sources, only these
   * are read: which files import them plays no part.
   */
  async importedBy(
    paths: readonly WorkspacePath[],
    overlay: OverlayTexts,
    signal: AbortSignal,
  ): Promise<ImportedFiles> {
    if (this.#isFresh) return this.#graph.importedBy(paths, overlay);
    using _turn = await this.#refreshing.acquire(signal);
    if (this.#mustList) await this.#list(signal);
    // Configurations decide by which names files are imported.
    await this.#readAll(
      () => [...this.#stale].filter((path) => !this.#extensions.has(suffixOf(path))),
      signal,
    );
    let imported: ImportedFiles = new Map();
    await this.#readAll(() => {
      imported = this.#graph.importedBy(paths, overlay, this.#stale);
      return [...imported.keys()].filter((path) => this.#stale.has(path));
    }, signal);
    return imported;
  }

  /** While another caller lists or reads, nothing is stale, but the graph is incomplete. */
  get #isFresh(): boolean {
    return !this.#mustList && this.#stale.size === 0 && !this.#refreshing.isHeld;
  }

  /** All facts about the files on disk. */
  async survey(signal: AbortSignal): Promise<Survey> {
    await this.refresh(signal);
    return this.#graph.survey();
  }

  /** Finds created and deleted files; known ones are not read again. */
  async #list(signal: AbortSignal): Promise<void> {
    this.#mustList = false;
    try {
      const extensions = new Set([...this.#extensions, ...configExtensions(this.#family)]);
      const listed = await this.#files.list(extensions, signal);
      const wanted = new Set([
        ...listed.filter((path) => this.#isWanted(path)),
        ...configPlaces(this.#family),
      ]);
      for (const path of wanted) if (!this.#known.has(path)) this.#stale.add(path);
      for (const path of this.#known) if (!wanted.has(path)) this.#stale.add(path);
    } catch (thrown) {
      this.#mustList = true;
      throw thrown;
    }
  }

  /** Reads until `next` names no file. */
  async #readAll(next: () => readonly WorkspacePath[], signal: AbortSignal): Promise<void> {
    for (let paths = next(); paths.length > 0; paths = next()) await this.#read(paths, signal);
  }

  async #read(paths: readonly WorkspacePath[], signal: AbortSignal): Promise<void> {
    for (let start = 0; start < paths.length; start += readsAtOnce) {
      if (start > 0) await setImmediate(undefined, { signal });
      await Promise.all(paths.slice(start, start + readsAtOnce).map((path) => this.#readOne(path, signal)));
    }
  }

  async #readOne(path: WorkspacePath, signal: AbortSignal): Promise<void> {
    // Unmarked before the read, so that an event during it marks the file again.
    this.#stale.delete(path);
    try {
      signal.throwIfAborted();
      this.#take(path, await this.#files.readText(path, signal));
    } catch (thrown) {
      this.#stale.add(path);
      throw thrown;
    }
  }

  #take(path: WorkspacePath, text: string | undefined): void {
    if (text === undefined) this.#known.delete(path);
    else this.#known.add(path);
    if (this.#extended.has(path)) this.#graph.configure(path, text);
    else this.#graph.update(path, text);
    if (this.#family !== 'ecmascript' || text === undefined || suffixOf(path) !== 'json') return;
    for (const base of extendedConfigs(path, text)) {
      if (this.#known.has(base) || this.#extended.has(base)) continue;
      this.#extended.add(base);
      this.#stale.add(base);
    }
  }

  #isWanted(path: WorkspacePath): boolean {
    return (
      this.#extensions.has(suffixOf(path)) || isConfigFile(this.#family, path) || this.#extended.has(path)
    );
  }

  /** If a directory is deleted, the system may report only the directory and not its files. */
  #staleBelow(directory: WorkspacePath): void {
    for (const path of this.#known) if (path.startsWith(`${directory}/`)) this.#stale.add(path);
  }
}

const readsAtOnce = 64;

/** Extensions of the configuration files of a family that must be read; others are skipped after listing. */
function configExtensions(family: ReachFamily): readonly string[] {
  if (family === 'python') return ['json', 'toml', 'cfg'];
  return family === 'ecmascript' ? ['json'] : family === 'go' ? ['mod', 'work'] : [];
}

/** Configuration files that a walk of the sources would not find. */
function configPlaces(family: ReachFamily): readonly WorkspacePath[] {
  if (family !== 'c') return [];
  return parsePaths(['compile_commands.json', 'build/compile_commands.json', 'compile_flags.txt', '.clangd']);
}

/** The configurations inside the workspace that the one at `path` extends. */
function extendedConfigs(path: WorkspacePath, text: string): readonly WorkspacePath[] {
  try {
    const bases = stringsIn(fieldOf(parseLooseJson(text), 'extends')).filter((base) => base.startsWith('.'));
    return parsePaths(
      bases.map((base) =>
        `${directoryOf(path)}/${base.endsWith('.json') ? base : `${base}.json`}`.replace(/^\//, ''),
      ),
    );
  } catch {
    // The graph has the same text and reports the doubt about it.
    return [];
  }
}

function parsePaths(paths: readonly string[]): readonly WorkspacePath[] {
  return paths.map(parseWorkspacePath).filter((path) => path !== undefined);
}
