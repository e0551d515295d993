/**
 * The files a conversation has seen, as hashes of their content.
 *
 * Invariant: the model was shown the content behind a hash, whole or in part, or wrote it. An edit requires a hash
 * that matches the current content.
 */
import type { SeenFile } from '../../tools/tool-result.ts';
import type { ContentHash } from '../../workspace/content-hash.ts';

export class ReadCache {
  readonly #seen: Map<string, ContentHash>;

  constructor(seen: Iterable<SeenFile> = []) {
    this.#seen = new Map([...seen].map(({ absolute, hash }) => [absolute, hash]));
  }

  hashOf(absolute: string): ContentHash | undefined {
    return this.#seen.get(absolute);
  }

  note(seen: readonly SeenFile[]): void {
    for (const { absolute, hash } of seen) {
      // Insertion order is recency: the most recently seen file is last.
      this.#seen.delete(absolute);
      this.#seen.set(absolute, hash);
    }
  }

  /** All entries, least recently seen first. */
  entries(): readonly SeenFile[] {
    return [...this.#seen].map(([absolute, hash]) => ({ absolute, hash }));
  }

  copy(): ReadCache {
    return new ReadCache(this.entries());
  }
}
