/**
 * What a change to files can reach: their symbols, and every place that uses one.
 *
 * Invariant: a symbol whose uses could not be found out is named in a warning; it never merely looks unused.
 */
import { abortable, Deadline } from '../base/deadline.ts';
import { messageOf } from '../base/failure.ts';
import { languageOf } from '../servers/language.ts';
import { LineIndex } from '../text/line-index.ts';
import type { Position } from '../text/position.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { standsInImport } from './import-statement.ts';
import { type CodeLocation, references } from './location.ts';
import { enclosingFunction, holds, OutlineCache, type OutlinedFile } from './outline-cache.ts';
import type { Place, Query } from './query.ts';
import { type CodeSymbol, symbolKindName } from './symbol.ts';
import { isSyncGuarded } from './sync-guard.ts';
import { isTestFile } from './test-file.ts';
import { isInTestModule } from './test-module.ts';
import { type DeclaredSymbol, declaredSymbols, visibilityIn } from './visibility.ts';

export interface ImpactOptions {
  readonly scope: 'exported' | 'all';
  /** Whether the users of the users are looked for as well. */
  readonly reach: 'direct' | 'transitive';
  /** How long the uses of one symbol may take. */
  readonly symbolTimeoutMs: number;
  /** How many symbols are asked about at once. */
  readonly parallel: number;
}

/** A place that uses a symbol. */
export interface SymbolUse {
  readonly location: CodeLocation;
  readonly isTest: boolean;
  /** What the use stands in; undefined at the top of a file and outside the workspace. */
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
  /** The uses of what uses the symbols. */
  readonly transitive: readonly SymbolImpact[];
  readonly warnings: readonly string[];
}

export async function impactOf(
  query: Query,
  paths: readonly WorkspacePath[],
  options: ImpactOptions,
  signal: AbortSignal,
): Promise<Impact> {
  return new ImpactSearch(query, options, signal).run(paths);
}

interface Subject extends Place {
  readonly name: string;
  readonly range: CodeSymbol['range'];
  readonly isSyncGuarded: boolean;
}

class ImpactSearch {
  readonly #query: Query;
  readonly #options: ImpactOptions;
  readonly #signal: AbortSignal;
  readonly #outlines: OutlineCache;
  readonly #warnings: string[] = [];

  constructor(query: Query, options: ImpactOptions, signal: AbortSignal) {
    this.#query = query;
    this.#options = options;
    this.#signal = signal;
    this.#outlines = new OutlineCache(query, signal);
  }

  async run(paths: readonly WorkspacePath[]): Promise<Impact> {
    const subjects = (await mapConcurrently(paths, 4, (path) => this.#subjectsIn(path))).flat();
    const symbols = await this.#impacts(subjects);
    const transitive = this.#options.reach === 'transitive' ? await this.#impacts(callersIn(symbols)) : [];
    return { symbols, transitive, warnings: this.#warnings };
  }

  async #subjectsIn(path: WorkspacePath): Promise<readonly Subject[]> {
    try {
      const { text, outline } = await this.#outlines.of(path);
      const language = languageOf(path) ?? '';
      const isVisible = this.#options.scope === 'all' ? () => true : visibilityIn({ language, text });
      return declaredSymbols(outline)
        .filter((declared) => symbolKindName(declared.symbol.kind) !== 'Field' && isVisible(declared))
        .map((declared) => subjectOf(path, declared, isSyncGuarded(text, declared, outline)));
    } catch (thrown) {
      this.#warn(path, thrown);
      return [];
    }
  }

  /** One question goes first: some servers read the workspace only when they are asked about it. */
  async #impacts(subjects: readonly Subject[]): Promise<readonly SymbolImpact[]> {
    const [first, ...rest] = subjects;
    if (!first) return [];
    const warm = await this.#impact(first);
    return [warm, ...(await mapConcurrently(rest, this.#options.parallel, (each) => this.#impact(each)))];
  }

  async #impact(subject: Subject): Promise<SymbolImpact> {
    const { name, path, position, isSyncGuarded: guarded } = subject;
    return { name, path, position, isSyncGuarded: guarded, uses: await this.#uses(subject) };
  }

  async #uses(subject: Subject): Promise<readonly SymbolUse[]> {
    using deadline = new Deadline(this.#options.symbolTimeoutMs, this.#signal);
    try {
      const found = await references(this.#query, subject, { includeDeclaration: false }, deadline.signal);
      const others = found.filter((location) => !isWithin(location, subject));
      const uses = await Promise.all(others.map((location) => this.#use(location, deadline.signal)));
      return withoutImports(uses);
    } catch (thrown) {
      this.#warn(`${subject.name} (${subject.path}:${subject.position.line + 1})`, thrown);
      return [];
    }
  }

  async #use(location: CodeLocation, signal: AbortSignal): Promise<FoundUse> {
    const { path, uri, range } = location;
    // Directories above the workspace say nothing about what a file in it is for.
    const isTest = isTestFile(path ?? uri.slice(uri.lastIndexOf('/') + 1));
    if (path === undefined) return { location, isTest, caller: undefined, isImport: false };
    const file = await abortable(this.#outlines.of(path), signal);
    return { location, ...judged(file, range.start, isTest) };
  }

  #warn(about: string, thrown: unknown): void {
    // The caller's own giving up ends everything; whatever else goes wrong concerns one symbol.
    if (this.#signal.aborted && !isTimeout(this.#signal.reason)) throw thrown;
    this.#warnings.push(`${about}: ${messageOf(thrown)}`);
  }
}

interface FoundUse extends SymbolUse {
  readonly isImport: boolean;
}

function judged(file: OutlinedFile, position: Position, isTest: boolean): Omit<FoundUse, 'location'> {
  return {
    isTest: isTest || isInTestModule(file, position),
    caller: enclosingFunction(file.outline, position),
    isImport: standsInImport(new LineIndex(file.text), position),
  };
}

/** An import counts only where nothing else in its file does: then the file still depends on the symbol. */
function withoutImports(uses: readonly FoundUse[]): readonly SymbolUse[] {
  const used = new Set(uses.filter((use) => !use.isImport).map((use) => use.location.uri));
  const kept = uses.filter((use) => !use.isImport || !used.has(use.location.uri));
  return kept.map(({ location, isTest, caller }) => ({ location, isTest, caller }));
}

function subjectOf(path: WorkspacePath, { symbol }: DeclaredSymbol, guarded: boolean): Subject {
  const { name, range, selectionRange } = symbol;
  return { name, path, range, position: selectionRange.start, isSyncGuarded: guarded };
}

/** The functions, outside of tests, that use any of the symbols; those that are symbols themselves are known already. */
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
  return location.path === subject.path && holds(subject.range, location.range.start);
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
