/**
 * The impact of a change: the symbols of the changed files, and all their uses.
 *
 * Invariant: a symbol whose uses could not be determined is named in a warning; it never just looks unused.
 */
import { abortable, Deadline } from '../base/deadline.ts';
import { messageOf } from '../base/failure.ts';
import { languageOf } from '../servers/language.ts';
import type { Position } from '../text/position.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { standsInImport, standsInReexport } from './import-statement.ts';
import type { CodeLocation } from './location.ts';
import { enclosingFunction, holdsPosition, type OutlinedFile } from './outline-cache.ts';
import type { Place } from './query.ts';
import { type CodeSymbol, symbolKindName } from './symbol.ts';
import { isSyncGuarded } from './sync-guard.ts';
import { isTestFile } from './test-file.ts';
import { isInTestModule } from './test-module.ts';
import { type DeclaredSymbol, declaredSymbols, visibilityIn } from './visibility.ts';

export interface ImpactOptions {
  readonly scope: 'exported' | 'all';
  /** Whether uses of the callers are searched as well. */
  readonly reach: 'direct' | 'transitive';
  /** Timeout for the uses of one symbol. */
  readonly symbolTimeoutMs: number;
  /** Number of symbols queried concurrently. */
  readonly parallel: number;
}

/** A location that uses a symbol. */
export interface SymbolUse {
  readonly location: CodeLocation;
  readonly isTest: boolean;
  /** The enclosing symbol of the use; undefined at the top level of a file and outside the workspace. */
  readonly caller: CodeSymbol | undefined;
}

export interface SymbolImpact {
  readonly name: string;
  readonly path: WorkspacePath;
  readonly position: Position;
  readonly isSyncGuarded: boolean;
  readonly uses: readonly SymbolUse[];
}

export interface Impact {
  readonly symbols: readonly SymbolImpact[];
  /** The uses of the callers. */
  readonly transitive: readonly SymbolImpact[];
  readonly warnings: readonly string[];
}

/** The source of the answers for an impact. */
export interface ImpactSource {
  outlined(path: WorkspacePath): Promise<OutlinedFile>;
  /** Prepares for questions about the uses of all these symbols. */
  show(subjects: readonly Place[], within: Within): Promise<void>;
  /** Prepares for questions about the outlines of all these files. */
  open(paths: readonly WorkspacePath[]): Promise<void>;
  uses(subject: Place, signal: AbortSignal): Promise<readonly CodeLocation[]>;
}

/** Restricts a timeout or failure to the position it concerns. */
type Within = (place: Place, work: (signal: AbortSignal) => Promise<void>) => Promise<void>;

export async function impactOf(
  source: ImpactSource,
  paths: readonly WorkspacePath[],
  options: ImpactOptions,
  signal: AbortSignal,
): Promise<Impact> {
  return new ImpactSearch(source, options, signal).run(paths);
}

interface Subject extends Place {
  readonly name: string;
  readonly range: CodeSymbol['range'];
  readonly isSyncGuarded: boolean;
}

class ImpactSearch {
  readonly #source: ImpactSource;
  readonly #options: ImpactOptions;
  readonly #signal: AbortSignal;
  readonly #warnings: string[] = [];

  constructor(source: ImpactSource, options: ImpactOptions, signal: AbortSignal) {
    this.#source = source;
    this.#options = options;
    this.#signal = signal;
  }

  async run(paths: readonly WorkspacePath[]): Promise<Impact> {
    const subjects = (await mapConcurrently(paths, 4, (path) => this.#subjectsIn(path))).flat();
    const symbols = await this.#impacts(subjects);
    const transitive = this.#options.reach === 'transitive' ? await this.#impacts(callersIn(symbols)) : [];
    return { symbols, transitive, warnings: this.#warnings };
  }

  async #subjectsIn(path: WorkspacePath): Promise<readonly Subject[]> {
    return this.#within<readonly Subject[]>(path, [], async (signal) => {
      const { text, outline } = await abortable(this.#source.outlined(path), signal);
      const language = languageOf(path) ?? '';
      const isVisible = this.#options.scope === 'all' ? () => true : visibilityIn({ language, text });
      return declaredSymbols(outline)
        .filter((declared) => symbolKindName(declared.symbol.kind) !== 'Field' && isVisible(declared))
        .map((declared) => subjectOf(path, declared, isSyncGuarded(text, declared, outline)));
    });
  }

  /**
   * Files are opened before any request, and all uses are found before their outlines are requested: a server that
   * gets a new file while it answers starts again, and some then never settle.
   */
  async #impacts(subjects: readonly Subject[]): Promise<readonly SymbolImpact[]> {
    const labels = new Map(subjects.map((subject): [Place, string] => [subject, labelOf(subject)]));
    await this.#source.show(subjects, (place, work) =>
      this.#within(labels.get(place) ?? place.path, undefined, work),
    );
    const found = await this.#references(subjects);
    const files = await this.#outlined(found.flatMap(({ locations }) => locations));
    return found.map(({ subject, locations }) => {
      const { name, path, position, isSyncGuarded: guarded } = subject;
      const uses = locations.map((location) => useAt(location, files));
      return { name, path, position, isSyncGuarded: guarded, uses: withoutImports(uses) };
    });
  }

  /** One request is sent first: some servers index the workspace only at the first request. */
  async #references(subjects: readonly Subject[]): Promise<readonly SubjectUses[]> {
    const [first, ...rest] = subjects;
    if (!first) return [];
    const warm = await this.#referencesOf(first);
    const { parallel } = this.#options;
    return [warm, ...(await mapConcurrently(rest, parallel, (subject) => this.#referencesOf(subject)))];
  }

  async #referencesOf(subject: Subject): Promise<SubjectUses> {
    const locations = await this.#within<readonly CodeLocation[]>(labelOf(subject), [], (signal) =>
      this.#source.uses(subject, signal),
    );
    return { subject, locations: locations.filter((location) => !isWithin(location, subject)) };
  }

  /** The files of the uses; a file without an outline still counts. */
  async #outlined(locations: readonly CodeLocation[]): Promise<ReadonlyMap<WorkspacePath, OutlinedFile>> {
    const paths = [...new Set(locations.flatMap(({ path }) => (path === undefined ? [] : path)))];
    await this.#within('the files that contain the uses', undefined, () => this.#source.open(paths));
    const files = await mapConcurrently(paths, this.#options.parallel, (path) =>
      this.#within(path, undefined, (signal) => abortable(this.#source.outlined(path), signal)),
    );
    return new Map(files.flatMap((file) => (file ? [[file.path, file] as const] : [])));
  }

  /** A timeout or failure affects only its own subject. */
  async #within<T>(about: string, otherwise: T, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    using deadline = new Deadline(this.#options.symbolTimeoutMs, this.#signal);
    try {
      return await work(deadline.signal);
    } catch (thrown) {
      this.#warn(about, thrown);
      return otherwise;
    }
  }

  #warn(about: string, thrown: unknown): void {
    if (thrown instanceof NotKnown) throw thrown;
    // An abort by the caller ends everything.
    if (this.#signal.aborted && !isTimeout(this.#signal.reason)) throw thrown;
    const warning = `${about}: ${messageOf(thrown)}`;
    if (!this.#warnings.includes(warning)) this.#warnings.push(warning);
  }
}

/** Thrown by a source without a server: it ends the search and says nothing about the workspace. */
export class NotKnown extends Error {}

interface SubjectUses {
  readonly subject: Subject;
  readonly locations: readonly CodeLocation[];
}

function labelOf({ name, path, position }: Subject): string {
  return `${name} (${path}:${position.line + 1})`;
}

function useAt(location: CodeLocation, files: ReadonlyMap<WorkspacePath, OutlinedFile>): FoundUse {
  const { path, uri, range } = location;
  // Directories above the workspace do not show whether a file is a test.
  const isTest = isTestFile(path ?? uri.slice(uri.lastIndexOf('/') + 1));
  const file = path === undefined ? undefined : files.get(path);
  if (!file) return { location, isTest, caller: undefined, isImport: false };
  return {
    location,
    isTest: isTest || isInTestModule(file, range.start),
    caller: enclosingFunction(file.outline, range.start),
    isImport: standsInImport(file.index, range.start) && !standsInReexport(file.index, range.start),
  };
}

interface FoundUse extends SymbolUse {
  readonly isImport: boolean;
}

/**
 * An import counts only if its file has no other use: the file still depends on the symbol. A re-export is itself a
 * use: other files get the symbol through it.
 */
function withoutImports(uses: readonly FoundUse[]): readonly SymbolUse[] {
  const used = new Set(uses.filter((use) => !use.isImport).map((use) => use.location.uri));
  const kept = uses.filter((use) => !use.isImport || !used.has(use.location.uri));
  return kept.map(({ location, isTest, caller }) => ({ location, isTest, caller }));
}

function subjectOf(path: WorkspacePath, { symbol }: DeclaredSymbol, guarded: boolean): Subject {
  const { name, range, selectionRange } = symbol;
  return { name, path, range, position: selectionRange.start, isSyncGuarded: guarded };
}

/** The functions outside of tests that use any of the symbols; those among the symbols themselves are excluded. */
function callersIn(symbols: readonly SymbolImpact[]): readonly Subject[] {
  const known = new Set(symbols.map((symbol) => keyOf(symbol.path, symbol.position)));
  const callers = new Map<string, Subject>();
  for (const { location, isTest, caller } of symbols.flatMap((symbol) => symbol.uses)) {
    if (isTest || !caller || location.path === undefined) continue;
    const key = keyOf(location.path, caller.selectionRange.start);
    if (known.has(key)) continue;
    callers.set(key, subjectOf(location.path, { symbol: caller, ancestors: [] }, false));
  }
  return [...callers.values()];
}

function keyOf(path: WorkspacePath, { line, character }: Position): string {
  return `${path}\0${line}:${character}`;
}

function isWithin(location: CodeLocation, subject: Subject): boolean {
  return location.path === subject.path && holdsPosition(subject.range, location.range.start);
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
