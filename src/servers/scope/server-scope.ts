/**
 * The part of a large workspace that one server has loaded: what was edited and requested.
 *
 * The server is shown its project's configuration with everything else excluded, as the text of an open document; no
 * file of the workspace or beside it is written.
 *
 * Invariants: a file is in scope before a request about it is sent; the scope only grows, until it is the whole
 * workspace; whatever the scope, the server's answers about files in it are the same.
 */
import { existsSync, readFileSync } from 'node:fs';
import { errnoOf, isUnreadable } from '../../base/errno.ts';
import type { Log } from '../../base/log.ts';
import { isCompilerConfig } from '../../graph/reach/reach-family.ts';
import type { Survey } from '../../graph/reach/reach-graph.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import type { DiskState } from '../../workspace/disk-state.ts';
import { outputNames } from '../../workspace/ignore-rules.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { isBelow, parentOf, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { InstalledLibraries } from './installed-libraries.ts';
import { leftOutPatterns } from './left-out-pattern.ts';
import type { LoadScope } from './load-scope.ts';
import { narrowedConfig, projectConfigs } from './narrowed-config.ts';
import { byDirectory, directoriesInScope } from './scope-directories.ts';

export interface ScopeParts {
  readonly server: LanguageServer;
  readonly workspace: Workspace;
  readonly disk: DiskState;
  /** The sources of the workspace on disk. */
  readonly survey: () => Promise<Survey>;
  /** The initial directories, chosen by the caller; without them, small workspaces are loaded as a whole. */
  readonly places: readonly WorkspacePath[];
  readonly log: Log;
}

/** A workspace with fewer files loads quickly enough as a whole. */
const worthwhileFiles = 500;

export class ServerScope implements LoadScope {
  readonly #parts: ScopeParts;
  readonly #edited = new Set<WorkspacePath>();
  readonly #asked = new Set<WorkspacePath>();
  /** The directories loaded as of the last plan; `everything` once the scope is the whole workspace. */
  #directories: ReadonlySet<WorkspacePath> | 'everything' | undefined;
  #leftOut = 0;
  #epoch = 0;
  /** A request about a file waits for the plan that includes it, also if another caller caused it. */
  #planning: Promise<void> = Promise.resolve();
  readonly #shown = new Set<WorkspacePath>();

  constructor(parts: ScopeParts) {
    this.#parts = parts;
  }

  get isWhole(): boolean {
    return this.#directories === 'everything';
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  async include(paths: Iterable<WorkspacePath>, why: 'edited' | 'asked'): Promise<void> {
    if (this.#directories === 'everything') return;
    const wishes = why === 'edited' ? this.#edited : this.#asked;
    let isNew = this.#directories === undefined || this.#epoch !== this.#parts.disk.epoch;
    for (const path of paths) {
      if (wishes.has(path)) continue;
      wishes.add(path);
      isNew ||= why === 'edited' || !this.#covers(path);
    }
    if (isNew) this.#planning = this.#planAfter(this.#planning);
    await this.#planning;
  }

  async includeEverything(): Promise<void> {
    this.#directories = 'everything';
    this.#leftOut = 0;
    for (const config of this.#shown) this.#hide(config);
  }

  #covers(path: WorkspacePath): boolean {
    return this.#directories === 'everything' || this.#directories?.has(parentOf(path)) === true;
  }

  async #planAfter(previous: Promise<void>): Promise<void> {
    // A plan that failed has thrown to its own caller; this one includes the same files again.
    await previous.catch(() => undefined);
    try {
      await this.#plan();
    } catch (thrown) {
      this.#directories = undefined;
      throw thrown;
    }
  }

  async #plan(): Promise<void> {
    const { disk, workspace, places, log } = this.#parts;
    const epoch = disk.epoch;
    const survey = await this.#parts.survey();
    // Another caller may have included everything meanwhile.
    if (this.isWhole) return;
    if (survey.files.length < worthwhileFiles && places.length === 0) return this.includeEverything();
    const libraries = new InstalledLibraries(workspace);
    const wish = { edited: this.#edited, asked: this.#asked, places };
    const inScope = directoriesInScope(survey, wish, (specifier, from) => libraries.has(specifier, from));
    const left = survey.files.filter(({ path }) => !inScope.has(parentOf(path))).length;
    // Loading nearly everything in portions takes longer than loading it at once.
    if (left * 2 < survey.files.length) return this.includeEverything();
    const shown = this.#narrow(survey, inScope);
    this.#directories = inScope;
    this.#epoch = epoch;
    this.#leftOut = shown > 0 ? left : 0;
    log.debug('server.scoped', { files: survey.files.length, left_out: left, configurations: shown });
  }

  /** Shows the configurations that exclude what is out of scope; returns how many there are. */
  #narrow(survey: Survey, inScope: ReadonlySet<WorkspacePath>): number {
    const texts = new Map<string, string | undefined>();
    const read = (path: string): string | undefined => {
      if (!texts.has(path)) texts.set(path, this.#read(path));
      return texts.get(path);
    };
    const projects = projectConfigs(survey.configs.filter(isCompilerConfig), read);
    const patterns = leftOutPatterns(byDirectory(survey.files), {
      inScope,
      hidesOthers: (directory) => this.#hidesOthers(directory),
    });
    let narrowed = 0;
    for (const config of survey.configs) {
      const text =
        projects.has(config) && this.#isLarge(config, survey)
          ? narrowedConfig(config, patterns, { projects, read })
          : undefined;
      if (text === undefined) this.#hide(config);
      else this.#show(config, text);
      narrowed += text === undefined ? 0 : 1;
    }
    for (const config of this.#shown) if (!survey.configs.includes(config)) this.#hide(config);
    return narrowed;
  }

  #isLarge(config: WorkspacePath, { files }: Survey): boolean {
    if (this.#parts.places.length > 0) return true;
    const home = parentOf(config);
    let below = 0;
    for (const { path } of files) if (isBelow(path, home)) below += 1;
    return below >= worthwhileFiles;
  }

  /** Directories with these names may have been taken for build output and skipped. */
  #hidesOthers(directory: WorkspacePath): boolean {
    const absolute = this.#parts.workspace.absolute(directory);
    return [...outputNames].some((name) => existsSync(`${absolute}/${name}`));
  }

  #show(config: WorkspacePath, text: string): void {
    const { server, workspace } = this.#parts;
    const uri = workspace.uri(config);
    if (this.#shown.has(config)) server.documents.change(uri, text);
    else server.documents.open(uri, 'jsonc', text);
    this.#shown.add(config);
  }

  #hide(config: WorkspacePath): void {
    if (!this.#shown.delete(config)) return;
    this.#parts.server.documents.close(this.#parts.workspace.uri(config));
  }

  #read(path: string): string | undefined {
    try {
      return readFileSync(`${this.#parts.workspace.root}/${path}`, 'utf8');
    } catch (thrown) {
      if (isUnreadable(thrown) || errnoOf(thrown) === 'EISDIR') return undefined;
      throw thrown;
    }
  }
}
