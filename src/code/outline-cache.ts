/**
 * The outlines and texts of files, each requested once.
 *
 * Invariant: a file's outline and text belong together; both are those shown to the server.
 */

import { comparePositions, LineIndex, type Position, type Range } from '../text/position.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { CachedReferences } from './cached-references.ts';
import { type Query, shownText } from './query.ts';
import { type CodeSymbol, documentSymbols, symbolKindName } from './symbol.ts';
import { declaredSymbols } from './visibility.ts';

export interface OutlinedFile {
  readonly path: WorkspacePath;
  readonly text: string;
  readonly index: LineIndex;
  readonly outline: readonly CodeSymbol[];
}

export class OutlineCache {
  readonly #query: Query;
  readonly #known: CachedReferences | undefined;
  readonly #signal: AbortSignal;
  readonly #files = new Map<WorkspacePath, Promise<OutlinedFile>>();

  /** The signal ends all requests of the cache; a single caller may stop waiting earlier. */
  constructor(query: Query, known: CachedReferences | undefined, signal: AbortSignal) {
    this.#query = query;
    this.#known = known;
    this.#signal = signal;
  }

  of(path: WorkspacePath): Promise<OutlinedFile> {
    const known = this.#files.get(path) ?? this.#ask(path);
    this.#files.set(path, known);
    return known;
  }

  async #ask(path: WorkspacePath): Promise<OutlinedFile> {
    await this.#query.lease.open([path]);
    const text = shownText(this.#query, path) ?? '';
    return { path, text, index: new LineIndex(text), outline: await this.#outline(path) };
  }

  async #outline(path: WorkspacePath): Promise<readonly CodeSymbol[]> {
    const known = this.#known?.outline(path);
    if (known) return known;
    const outline = await documentSymbols(this.#query, path, this.#signal);
    this.#known?.noteOutline(path, outline);
    return outline;
  }
}

/** The enclosing function of a position; outside of functions, the innermost symbol that is not just a container. */
export function enclosingFunction(
  outline: readonly CodeSymbol[],
  position: Position,
): CodeSymbol | undefined {
  const around = symbolsAround(outline, position);
  return (
    around.findLast((symbol) => isFunction(symbol)) ??
    around.findLast((symbol) => !containers.has(symbolKindName(symbol.kind)))
  );
}

/** The symbols whose ranges contain a position, outermost first. */
export function symbolsAround(outline: readonly CodeSymbol[], position: Position): readonly CodeSymbol[] {
  return declaredSymbols(outline)
    .map(({ symbol }) => symbol)
    .filter((symbol) => holdsPosition(symbol.range, position));
}

const containers = new Set(['File', 'Module', 'Namespace', 'Package']);

function isFunction(symbol: CodeSymbol): boolean {
  return ['Function', 'Method', 'Constructor'].includes(symbolKindName(symbol.kind));
}

export function holdsPosition(range: Range, position: Position): boolean {
  return comparePositions(range.start, position) <= 0 && comparePositions(position, range.end) <= 0;
}
