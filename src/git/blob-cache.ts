/**
 * Contents of blobs by their ids, those used last up to a number of bytes.
 *
 * Invariant: a blob never changes, so what is found is what git would answer.
 */
const maxBytes = 8 * 2 ** 20;

export class BlobCache {
  readonly #blobs = new Map<string, Uint8Array>();
  #bytes = 0;

  /** Those of the ids that are kept. */
  found(ids: readonly string[]): Map<string, Uint8Array> {
    const found = new Map<string, Uint8Array>();
    for (const id of ids) {
      const bytes = this.#blobs.get(id);
      if (bytes === undefined) continue;
      found.set(id, bytes);
      // The order of a Map is that of insertion: used last, removed last.
      this.#blobs.delete(id);
      this.#blobs.set(id, bytes);
    }
    return found;
  }

  keep(blobs: ReadonlyMap<string, Uint8Array>): void {
    for (const [id, bytes] of blobs) {
      if (this.#blobs.has(id) || bytes.length > maxBytes / 8) continue;
      // A copy: what git printed is one buffer with many blobs in it.
      this.#blobs.set(id, Uint8Array.from(bytes));
      this.#bytes += bytes.length;
    }
    for (const [id, bytes] of this.#blobs) {
      if (this.#bytes <= maxBytes) return;
      this.#blobs.delete(id);
      this.#bytes -= bytes.length;
    }
  }
}
