/** Letters typed in a list go to the next row whose name begins with them. */

/** Letters that come closer together than this are one name. */
const pauseMs = 800;

export class TypedName {
  #text = '';
  #at = 0;

  /** The row for one more letter; undefined if none begins so. */
  next(rows: readonly { readonly name: string }[], current: number, letter: string): number | undefined {
    const now = Date.now();
    this.#text = (now - this.#at < pauseMs ? this.#text : '') + letter.toLowerCase();
    this.#at = now;
    // The first letter leaves the current row, so that it can be pressed again and again.
    const from = Math.max(this.#text.length === 1 ? current + 1 : current, 0);
    for (let step = 0; step < rows.length; step++) {
      const index = (from + step) % rows.length;
      if (rows[index]?.name.toLowerCase().startsWith(this.#text)) return index;
    }
    return undefined;
  }
}
