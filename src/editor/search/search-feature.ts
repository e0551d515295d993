/**
 * Search and replacement across files, as one feature of the editor.
 *
 * Invariants: there is one search; a new one ends the one before, and nothing of the old one is published after it. A search
 * goes on when the page that began it is closed. What is kept of it is bounded, and its state says so.
 */
import { hashContent } from '../../workspace/content-hash.ts';
import type { Buffers } from '../buffers.ts';
import type { EditApplier } from '../edit-applier.ts';
import type { EditPlans } from '../edit-plans.ts';
import type { EditorContext } from '../editor-context.ts';
import { ChangedSince, pageFailureOf } from '../editor-failure.ts';
import type { EditorFeature, Handlers } from '../editor-feature.ts';
import type { FoundFile, SearchHead, SearchQuery } from '../protocol/search.ts';
import type { ParamsOf, ResultOf, Snapshot } from '../protocol.ts';
import { workOutReplacement } from './replacement.ts';
import { SearchExpression } from './search-expression.ts';
import { ShownLines } from './shown-match.ts';
import { type MatchedFile, type SearchedPlace, searchWorkspace } from './workspace-search.ts';

type SearchMethod = 'search.run' | 'search.stop' | 'search.plan';

/** What a search needs of the other features. */
export interface SearchParts {
  readonly buffers: Buffers;
  readonly applier: EditApplier;
  readonly plans: EditPlans;
}

/** More are not listed: they are of no use to a reader, and every page would keep them in memory. */
const mostMatches = 2_000;
const mostNamed = 20;

export class SearchFeature implements EditorFeature<SearchMethod> {
  readonly #context: EditorContext;
  readonly #parts: SearchParts;
  readonly #subscriptions: readonly Disposable[];
  #head: SearchHead | undefined;
  #found: FoundFile[] = [];
  #abort = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(context: EditorContext, parts: SearchParts) {
    this.#context = context;
    this.#parts = parts;
    this.#subscriptions = [
      parts.buffers.changed.subscribe(({ kind }) => {
        if (kind === 'text') this.#outdate();
      }),
      context.live.disk.changes.subscribe(() => this.#outdate()),
    ];
  }

  readonly handlers: Handlers<SearchMethod> = {
    'search.run': async (query) => ({ id: this.#begin(query) }),
    'search.stop': async () => {
      this.#stop();
      return {};
    },
    'search.plan': (params, _source, signal) => this.#plan(params, signal),
  };

  snapshot(): Pick<Snapshot, 'search'> {
    return this.#head ? { search: { head: this.#head, found: [...this.#found] } } : {};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#abort.abort(new DOMException('the editor was closed', 'AbortError'));
    await this.#running;
  }

  get #place(): SearchedPlace {
    return { workspace: this.#context.live.workspace, overlay: this.#parts.buffers.overlay() };
  }

  #begin(query: SearchQuery): number {
    // An expression that cannot be read fails the request; the search before it stays.
    new SearchExpression(query);
    this.#stop();
    this.#abort = new AbortController();
    const id = (this.#head?.id ?? 0) + 1;
    this.#found = [];
    const counts = { matches: 0, files: 0, searched: 0, skipped: [] };
    this.#show({ id, query, state: { kind: 'running' }, ...counts, isOutdated: false });
    this.#running = this.#search(query, AbortSignal.any([this.#abort.signal, this.#context.signal]));
    return id;
  }

  #stop(): void {
    this.#abort.abort(new DOMException('the search was stopped', 'AbortError'));
    if (this.#head?.state.kind === 'running') this.#show({ ...this.#head, state: { kind: 'stopped' } });
  }

  async #search(query: SearchQuery, signal: AbortSignal): Promise<void> {
    try {
      const steps = searchWorkspace(this.#place, query, { matchesPerFile: mostMatches + 1 }, signal);
      for await (const { files, searched, skipped } of steps) {
        if (signal.aborted) return;
        if (this.#take(files, searched, skipped) === 'cut') return;
      }
      if (!signal.aborted) this.#end({ kind: 'complete' });
    } catch (thrown) {
      if (signal.aborted) return;
      const { message, remedy } = pageFailureOf(thrown);
      this.#end({ kind: 'failed', message, remedy });
    }
  }

  #take(files: readonly MatchedFile[], searched: number, skipped: readonly string[]): 'more' | 'cut' {
    const head = this.#head;
    if (!head) return 'cut';
    let room = mostMatches - head.matches;
    const shown: FoundFile[] = [];
    let isCut = false;
    for (const { path, text, matches } of files) {
      const lines = new ShownLines(text);
      isCut ||= matches.length > room;
      if (room === 0) break;
      shown.push({ path, matches: matches.slice(0, room).map((match) => lines.shown(match)) });
      room -= Math.min(room, matches.length);
    }
    this.#found.push(...shown);
    if (shown.length > 0) this.#context.publish({ kind: 'search.found', id: head.id, files: shown });
    const state = isCut ? ({ kind: 'cut' } as const) : head.state;
    this.#show({
      ...head,
      state,
      matches: mostMatches - room,
      files: head.files + shown.length,
      searched: head.searched + searched,
      skipped: [...head.skipped, ...skipped].slice(0, mostNamed),
    });
    return isCut ? 'cut' : 'more';
  }

  #end(state: SearchHead['state']): void {
    if (this.#head) this.#show({ ...this.#head, state });
  }

  #outdate(): void {
    if (this.#head && !this.#head.isOutdated) this.#show({ ...this.#head, isOutdated: true });
  }

  #show(head: SearchHead): void {
    this.#head = head;
    this.#context.publish({ kind: 'search.changed', search: head });
  }

  async #plan(
    { query, replacement, without }: ParamsOf<'search.plan'>,
    signal: AbortSignal,
  ): Promise<ResultOf<'search.plan'>> {
    const { applier, plans } = this.#parts;
    // The versions of the text that is searched: what is typed while it is searched makes the plan stale.
    const versions = applier.versions();
    const asked = { query, replacement, without: new Set(without) };
    const { edited, before, files, skipped } = await workOutReplacement(this.#place, asked, signal);
    const changes = await edited.changes();
    const moved = changes.filter(
      (change) => hashContent(change.before) !== hashContent(before.get(change.path)),
    );
    if (moved.length > 0) throw new ChangedSince(moved.map(({ path }) => path));
    const worked = { changes, versions };
    return {
      plan: plans.keep({ edited, worked }),
      files: files.map((file) => ({ ...file, lane: applier.laneOf(file.path) })),
      places: files.reduce((sum, file) => sum + file.places, 0),
      skipped: skipped.slice(0, mostNamed),
    };
  }
}
