/** How long to wait before the next try: twice as long each time, up to a bound, with a random part so that tabs do not come at once. */

const firstMs = 500;
const longestMs = 8_000;

export class Backoff {
  #tries = 0;

  nextMs(): number {
    const most = Math.min(firstMs * 2 ** this.#tries, longestMs);
    this.#tries += 1;
    return most / 2 + (Math.random() * most) / 2;
  }

  reset(): void {
    this.#tries = 0;
  }
}
