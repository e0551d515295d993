import type { Failure } from '../../base/failure.ts';

/**
 * Parses a value from outside by the shape it must have.
 *
 * Invariant: what an accessor returns has its declared type; anything else fails with the path in the value.
 */
export class JsonReader {
  readonly #value: unknown;
  readonly #place: string;
  readonly #failure: new (
    message: string,
  ) => Failure;

  constructor(value: unknown, place: string, failure: new (message: string) => Failure) {
    this.#value = value;
    this.#place = place;
    this.#failure = failure;
  }

  get(key: string): JsonReader {
    return this.optional(key) ?? this.refuse(`lacks "${key}"`);
  }

  /** The member `key`; absence and null are the same here. */
  optional(key: string): JsonReader | undefined {
    const member = this.#members().find(([name]) => name === key)?.[1];
    return member === undefined || member === null ? undefined : this.#at(`.${key}`, member);
  }

  entries(): [string, JsonReader][] {
    return this.#members().map(([key, value]) => [key, this.#at(`["${key}"]`, value)]);
  }

  items(): JsonReader[] {
    if (!Array.isArray(this.#value)) return this.refuse('is not an array');
    return this.#value.map((item: unknown, index) => this.#at(`[${index}]`, item));
  }

  string(): string {
    return typeof this.#value === 'string' ? this.#value : this.refuse('is not a string');
  }

  /** A whole number of zero or more. */
  count(): number {
    const value = this.#value;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      return this.refuse('is not a whole number of zero or more');
    }
    return value;
  }

  boolean(): boolean {
    return typeof this.#value === 'boolean' ? this.#value : this.refuse('is not true or false');
  }

  /** The members that are true or false, by name. */
  booleans(): Record<string, boolean> {
    const given = this.#members().filter(([, value]) => value !== undefined && value !== null);
    return Object.fromEntries(given.map(([key, value]) => [key, this.#at(`.${key}`, value).boolean()]));
  }

  refuse(why: string): never {
    throw new this.#failure(`${this.#place} ${why}`);
  }

  #members(): [string, unknown][] {
    if (typeof this.#value !== 'object' || this.#value === null || Array.isArray(this.#value)) {
      return this.refuse('is not an object');
    }
    return Object.entries(this.#value);
  }

  #at(step: string, value: unknown): JsonReader {
    return new JsonReader(value, this.#place + step, this.#failure);
  }
}
