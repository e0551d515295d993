/**
 * What a conversation has seen of the files, as hashes of their content.
 *
 * Invariant: a hash in here was shown to the model whole or in part, or written by it; whoever edits a file must
 * have one that still fits.
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
      // Most recently seen last, so that the newest can be told apart.
      this.#seen.delete(absolute);
      this.#seen.set(absolute, hash);
    }
  }

  /** All of it, least recently seen first. */
  entries(): readonly SeenFile[] {
    return [...this.#seen].map(([absolute, hash]) => ({ absolute, hash }));
  }

  copy(): ReadCache {
    return new ReadCache(this.entries());
  }
}
