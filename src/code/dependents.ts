/**
 * Opens the files that may use a name before a server is asked for its uses.
 *
 * Most servers know only the files of configured projects and open files. A use in any other file would be missing
 * from the answer.
 *
 * Invariant: a file stays closed only if it cannot mention the name, or is counted as left out.
 */

import type { WorkspaceView } from '../live/workspace-view.ts';
import { editText, readText } from '../overlay/overlay.ts';
import type { LanguageId } from '../servers/language.ts';
import type { LocatedServer } from '../servers/server-register.ts';
import { LineIndex } from '../text/position.ts';
import { IgnoreRules } from '../workspace/ignore-rules.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { CodeLocation } from './code-location.ts';
import { declarationLocations } from './location.ts';
import type { Dependents, Place, Query } from './query.ts';
import { servedFiles } from './served-file.ts';
import { spellingsIn } from './spelling.ts';
import { identifierAt } from './symbol-name.ts';

/** The files that were searched for uses. */
export interface Coverage {
  readonly complete: boolean;
  /** Files that may contain uses and were not opened. */
  readonly leftOut: number;
  /** The reason for incomplete coverage. */
  readonly why?: string;
}

/** With more open files, indexing would take too long for a call. */
const maximumOpened = 256;

export class WorkspaceDependents implements Dependents {
  readonly #view: WorkspaceView;
  readonly #language: LanguageId;
  /** By the declaring files of a name; their dependents do not change during a lease. */
  readonly #reached = new Map<string, Promise<ReadonlyMap<WorkspacePath, string>>>();
  readonly #opened = new Set<WorkspacePath>();
  readonly #leftOut = new Set<WorkspacePath>();
  #why: string | undefined;

  constructor(view: WorkspaceView, language: LanguageId) {
    this.#view = view;
    this.#language = language;
  }

  /** The coverage of all files opened so far. */
  get coverage(): Coverage {
    const leftOut = this.#leftOut.size;
    const why = this.#why;
    return { complete: leftOut === 0 && why === undefined, leftOut, ...(why !== undefined && { why }) };
  }

  async show(query: Query, place: Place, signal: AbortSignal): Promise<readonly CodeLocation[] | undefined> {
    const located = await this.#view.live.servers.locate(this.#language, signal);
    if (located.definition.quirks.findsUsesEverywhere) return undefined;
    const declarations = await declarationLocations(query, place, signal);
    const declared = declaringFiles(query, place, declarations);
    const key = declared === 'outside' ? declared : declared.join('\0');
    const reached =
      this.#reached.get(key) ?? this.#reach(declared, located, signal).then((paths) => this.#texts(paths));
    this.#reached.set(key, reached);
    const texts = await reached;
    const name = identifierAt(await this.#index(place.path), place.position);
    const wanted = spellingsIn(texts, name).filter((path) => !this.#opened.has(path));
    const room = Math.max(0, maximumOpened - this.#opened.size);
    for (const path of wanted.slice(room)) this.#leftOut.add(path);
    const opened = wanted.slice(0, room);
    await query.lease.include(wanted);
    await query.lease.read(opened, signal);
    for (const path of opened) this.#opened.add(path);
    return declarations;
  }

  /**
   * A change to a file can reach everything that imports it, directly or indirectly. The importers of a library are
   * not known, so any file may use it.
   */
  async #reach(
    declared: readonly WorkspacePath[] | 'outside',
    located: LocatedServer,
    signal: AbortSignal,
  ): Promise<readonly WorkspacePath[]> {
    if (declared === 'outside') return servedFiles(this.#view.workspace, located.definition, signal);
    let touched = this.#view.overlay;
    for (const path of (await this.#texts(declared)).keys()) {
      touched = await editText(touched, path, (text) => `${text}\n`);
    }
    const reach = await this.#view.live.reach.importers(touched, { located }, signal);
    if (!reach.complete) this.#why ??= reach.why;
    return reach.files;
  }

  async #texts(paths: readonly WorkspacePath[]): Promise<ReadonlyMap<WorkspacePath, string>> {
    const texts = new Map<WorkspacePath, string>();
    for (const path of paths) {
      const text = await this.#text(path);
      if (text !== undefined) texts.set(path, text);
    }
    return texts;
  }

  /** Texts on disk are cached there; every question needs hundreds of files. */
  async #text(path: WorkspacePath): Promise<string | undefined> {
    const { overlay, live } = this.#view;
    if (!overlay.has(path)) return live.disk.text(path);
    const content = await overlay.read(path);
    return content?.kind === 'text' ? content.text : undefined;
  }

  async #index(path: WorkspacePath): Promise<LineIndex> {
    return new LineIndex((await readText(this.#view.overlay, path)).text);
  }
}

/**
 * The files that declare the name at a position, with the file of the position; `outside` for a name of a library.
 */
function declaringFiles(
  query: Query,
  place: Place,
  declarations: readonly CodeLocation[],
): readonly WorkspacePath[] | 'outside' {
  const paths = declarations.map(({ path }) => path);
  const rules = new IgnoreRules(query.workspace);
  const inside = paths.flatMap((path) => (path === undefined || rules.ignores(path) ? [] : path));
  return inside.length < paths.length ? 'outside' : [...new Set([place.path, ...inside])].sort(comparePaths);
}
