/**
 * The files that may use a name, opened before a server is asked for its uses.
 *
 * Most servers know the files of a project they were configured with, and those that are open. A use in any
 * other file would be missing from the answer without a word.
 *
 * Invariant: a file is left closed only if it cannot mention the name, or is counted as left out.
 */

import type { WorkspaceView } from '../live/workspace-view.ts';
import type { LanguageId } from '../servers/language.ts';
import type { LocatedServer } from '../servers/server-register.ts';
import { LineIndex } from '../text/line-index.ts';
import { IgnoreRules } from '../workspace/ignore-rules.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { CodeLocation } from './code-location.ts';
import { declarationLocations } from './location.ts';
import type { Dependents, Place, Query } from './query.ts';
import { servedFiles } from './served-file.ts';
import { spellingsIn } from './spelling.ts';
import { identifierAt } from './symbol-name.ts';

/** What was looked through for uses. */
export interface Coverage {
  readonly complete: boolean;
  /** Files that may hold uses and were not opened. */
  readonly leftOut: number;
  /** What could not be taken into account. */
  readonly why?: string;
}

/** Past this a server would spend longer on reading than anybody waits. */
const maximumOpened = 256;

export class WorkspaceDependents implements Dependents {
  readonly #view: WorkspaceView;
  readonly #language: LanguageId;
  /** By the files a name is declared in; their dependents do not change while a server is lent out. */
  readonly #reached = new Map<string, Promise<ReadonlyMap<WorkspacePath, string>>>();
  readonly #opened = new Set<WorkspacePath>();
  readonly #leftOut = new Set<WorkspacePath>();
  #why: string | undefined;

  constructor(view: WorkspaceView, language: LanguageId) {
    this.#view = view;
    this.#language = language;
  }

  /** Of everything shown so far. */
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
   * Everything that imports a file, directly or through others, is what a change to it would reach. Who
   * imports a library is not known, so any file may.
   */
  async #reach(
    declared: readonly WorkspacePath[] | 'outside',
    located: LocatedServer,
    signal: AbortSignal,
  ): Promise<readonly WorkspacePath[]> {
    if (declared === 'outside') return servedFiles(this.#view.workspace, located.definition, signal);
    let touched = this.#view.overlay;
    for (const path of (await this.#texts(declared)).keys()) {
      touched = await touched.editText(path, (text) => `${text}\n`);
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

  /** What the disk holds is remembered there; hundreds of files are asked for at each question. */
  async #text(path: WorkspacePath): Promise<string | undefined> {
    const { overlay, live } = this.#view;
    if (!overlay.has(path)) return live.disk.text(path);
    const content = await overlay.read(path);
    return content?.kind === 'text' ? content.text : undefined;
  }

  async #index(path: WorkspacePath): Promise<LineIndex> {
    return new LineIndex((await this.#view.overlay.readText(path)).text);
  }
}

/** The files the name at a place is declared in, with the file of the place; `outside` for a library's name. */
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
