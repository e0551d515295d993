/**
 * Random choices that can be repeated: the same seed makes the same choices. FORERUN_PROPERTY_SEED chooses it, as it does
 * for properties; `any` draws a new one.
 */
export class SeededRandom {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed;
    this.#state = seed;
  }

  static fromEnvironment(): SeededRandom {
    const wanted = process.env.FORERUN_PROPERTY_SEED ?? '1';
    return new SeededRandom(wanted === 'any' ? Date.now() % 1_000_000 : Number(wanted));
  }

  /** From 0 up to the limit, which is not among them. */
  below(limit: number): number {
    // Mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  happens(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }
}
