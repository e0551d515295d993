/**
 * Diagnostics of a language server: our own type, its form in the protocol, and what a server has published.
 *
 * Invariants: a malformed entry is kept as far as it can be parsed. Dropping it would turn a bug of the server into a
 * clean file. `data` is sent back to the server unchanged. Sequence numbers of publications only grow, and silence is
 * never reported as an empty list.
 */

import { Channel } from '../base/channel.ts';
import { isRecord, itemsOf } from '../base/record.ts';
import type { Position, Range } from '../text/position.ts';
import { canonicalUri } from './document.ts';
import { waitFor } from './internal/wait.ts';

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** A diagnostic of a language server, in our own type; positions are UTF-16. */
export interface Diagnostic {
  readonly range: Range;
  readonly severity: Severity;
  readonly message: string;
  readonly source?: string;
  readonly code?: string | number;
  readonly tags?: readonly DiagnosticTag[];
  /** Other locations that explain it. */
  readonly related?: readonly RelatedPlace[];
  /** Sent back to the server unchanged in requests about this diagnostic; not part of its meaning. */
  readonly data?: unknown;
}

/** `unnecessary` code has no effect and can be removed, `deprecated` code should be replaced. */
export type DiagnosticTag = 'unnecessary' | 'deprecated';

export interface RelatedPlace {
  readonly uri: string;
  /** In the columns of the server, because the text of the other document is not available. */
  readonly range: Range;
  readonly message: string;
}

/** `decode` converts a range of the protocol to UTF-16. */
export function parseDiagnostics(items: unknown, decode: (range: Range) => Range): readonly Diagnostic[] {
  return itemsOf(items).map((item) => parseDiagnostic(isRecord(item) ? item : { message: item }, decode));
}

const severities: readonly (Severity | undefined)[] = [undefined, 'error', 'warning', 'info', 'hint'];

function parseDiagnostic(
  item: Readonly<Record<string, unknown>>,
  decode: (range: Range) => Range,
): Diagnostic {
  const { severity, source } = item;
  const code = isRecord(item.code) ? item.code.value : item.code;
  const tags = itemsOf(item.tags).flatMap(parseTag);
  const related = itemsOf(item.relatedInformation).flatMap(parseRelated);
  return {
    range: decode(parseRange(item.range)),
    // A diagnostic without a severity is read as an error.
    severity: (typeof severity === 'number' ? severities[severity] : undefined) ?? 'error',
    message: parseMessage(item.message),
    ...(typeof source === 'string' && { source }),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(tags.length > 0 && { tags }),
    ...(related.length > 0 && { related }),
    ...(item.data !== undefined && { data: item.data }),
  };
}

const tagsByNumber: readonly (DiagnosticTag | undefined)[] = [undefined, 'unnecessary', 'deprecated'];

function parseTag(tag: unknown): readonly DiagnosticTag[] {
  const known = typeof tag === 'number' ? tagsByNumber[tag] : undefined;
  return known ? [known] : [];
}

function parseRelated(item: unknown): readonly RelatedPlace[] {
  if (!isRecord(item) || !isRecord(item.location) || typeof item.location.uri !== 'string') return [];
  const { uri, range } = item.location;
  return [{ uri, range: parseRange(range), message: parseMessage(item.message) }];
}

function parseMessage(message: unknown): string {
  if (typeof message === 'string') return message;
  if (isRecord(message) && typeof message.value === 'string') return message.value;
  return message === undefined ? '' : JSON.stringify(message);
}

export function parseRange(value: unknown): Range {
  const start = parsePosition(isRecord(value) ? value.start : undefined);
  return { start, end: isRecord(value) && value.end !== undefined ? parsePosition(value.end) : start };
}

function parsePosition(value: unknown): Position {
  if (!isRecord(value)) return { line: 0, character: 0 };
  return { line: numberOf(value.line), character: numberOf(value.character) };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : 0;
}

/** A Diagnostic in the form of the protocol, for requests about it. */
export interface ProtocolDiagnostic {
  readonly range: Range;
  readonly severity: number;
  readonly code?: string | number;
  readonly source?: string;
  readonly message: string;
  readonly tags?: readonly number[];
  readonly relatedInformation?: readonly unknown[];
  readonly data?: unknown;
}

export function protocolDiagnostic(diagnostic: Diagnostic): ProtocolDiagnostic {
  const { range, severity, code, source, message, tags, related, data } = diagnostic;
  return {
    range,
    severity: severityNumbers[severity],
    ...(code !== undefined && { code }),
    ...(source !== undefined && { source }),
    message,
    ...(tags && { tags: tags.map((tag) => tagNumbers[tag]) }),
    ...(related && {
      relatedInformation: related.map((place) => ({
        location: { uri: place.uri, range: place.range },
        message: place.message,
      })),
    }),
    ...(data !== undefined && { data }),
  };
}

const severityNumbers: Readonly<Record<Severity, number>> = { error: 1, warning: 2, info: 3, hint: 4 };

const tagNumbers: Readonly<Record<DiagnosticTag, number>> = { unnecessary: 1, deprecated: 2 };

export interface Publication {
  readonly uri: string;
  /** The version of the document it was computed for, if the server sends it. */
  readonly version?: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Its number among all publications of this server, from 1. */
  readonly sequence: number;
}

/** Every publication, in the order received. */
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
