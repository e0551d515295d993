/**
 * Every publication of diagnostics, in the order received.
 *
 * Invariant: sequence numbers only grow, and silence is never reported as an empty list.
 */
import { Channel } from '../base/channel.ts';
import type { Diagnostic } from './diagnostic.ts';
import { canonicalUri } from './document.ts';
import { waitFor } from './internal/wait.ts';

export interface Publication {
  readonly uri: string;
  /** The version of the document it was computed for, if the server sends it. */
  readonly version?: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Its number among all publications of this server, from 1. */
  readonly sequence: number;
}

export class Publications {
  readonly published = new Channel<Publication>();
  readonly #latest = new Map<string, Publication>();
  readonly #life: AbortSignal;
  #sequence = 0;

  /** Waiting ends with the reason of `life` when the server exits. */
  constructor(life: AbortSignal) {
    this.#life = life;
  }

  /** The number of the last publication received; zero before the first. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The last publication for a document, whatever text it was for. */
  latest(uri: string): Publication | undefined {
    return this.#latest.get(canonicalUri(uri));
  }

  /** Stores a publication under the canonical form of its URI. */
  receive(publication: Omit<Publication, 'sequence'>): void {
    this.#sequence += 1;
    const filed = { ...publication, uri: canonicalUri(publication.uri), sequence: this.#sequence };
    this.#latest.set(filed.uri, filed);
    this.published.emit(filed);
  }

  /** The next publication that satisfies `predicate`; those received before the call do not count. */
  waitFor(predicate: (publication: Publication) => boolean, signal: AbortSignal): Promise<Publication> {
    return waitFor(
      this.published,
      (publication) => (publication && predicate(publication) ? publication : undefined),
      [signal, this.#life],
    );
  }

  /**
   * Waits until each document has a publication later than `sinceSequence` and none of them has had
   * another for `quietMs`; returns the last one of each, in the order of `uris`.
   */
  async waitQuiet(
    uris: readonly string[],
    sinceSequence: number,
    quietMs: number,
    signal: AbortSignal,
  ): Promise<readonly Publication[]> {
    const watched = new Set(uris.map(canonicalUri));
    const silence = new Channel<'quiet'>();
    let timer: NodeJS.Timeout | undefined;
    const restart = (): void => {
      clearTimeout(timer);
      const isComplete = [...watched].every((uri) => (this.#latest.get(uri)?.sequence ?? 0) > sinceSequence);
      if (isComplete) timer = setTimeout(() => silence.emit('quiet'), quietMs);
    };
    using _ = this.published.subscribe(({ uri }) => {
      if (watched.has(uri)) restart();
    });
    restart();
    try {
      await waitFor(silence, (received) => received, [signal, this.#life]);
    } finally {
      clearTimeout(timer);
    }
    return [...watched].flatMap((uri) => this.#latest.get(uri) ?? []);
  }
}
