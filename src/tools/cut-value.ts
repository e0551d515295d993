/**
 * A JSON value in two parts: the beginning of its lists and long texts, and the rest of them.
 *
 * Invariants: both parts have the shape of the whole. What is neither a list nor a long text is in both, so that each can
 * be read on its own. An item is in one of them, unless it has lists or long texts of its own that are cut.
 */
import { isRecord } from '../base/record.ts';

export interface Limits {
  /** Of each list. */
  readonly items: number;
  /** Of all lists together, in the order of the value; absent: as many as there are. */
  readonly total?: number;
  /** Of each long text. */
  readonly characters: number;
}

export interface Cut {
  readonly shown: unknown;
  readonly rest: unknown;
  /** The omitted amount by place in the payload: items of a list, characters of a text. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Whether something is shown that is not in the rest: a whole item of a list, or the beginning of a long text. */
  readonly hasAdvanced: boolean;
}

/** Texts up to this length are names, paths and messages, which are useless in part. */
export const shortText = 200;
/** An object with more members than this is a list of named items. */
const mostFields = 24;

export function cutValue(whole: unknown, limits: Limits): Cut {
  const cutter = new Cutter(limits);
  const { shown, rest } = cutter.visit(whole, '');
  return { shown, rest, leftOut: cutter.leftOut, hasAdvanced: cutter.hasAdvanced };
}

/** The number of items in all lists. */
export function itemsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  const own = Array.isArray(value) || members.length > mostFields ? members.length : 0;
  return members.reduce((sum: number, member) => sum + itemsIn(member), own);
}

export function longestIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  const own = Array.isArray(value) || members.length > mostFields ? members.length : 0;
  return members.reduce((longest: number, member) => Math.max(longest, longestIn(member)), own);
}

interface Halves {
  readonly shown: unknown;
  readonly rest: unknown;
  /** Whether the rest holds an item or a piece of text. */
  readonly hasRest: boolean;
}

class Cutter {
  readonly leftOut = new Map<string, number>();
  readonly #limits: Limits;
  /** How many items may still be shown. */
  #total: number;
  hasAdvanced = false;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#total = limits.total ?? Number.POSITIVE_INFINITY;
  }

  visit(value: unknown, place: string): Halves {
    if (typeof value === 'string') return this.#text(value, place);
    if (Array.isArray(value)) {
      const { shown, rest } = this.#items(
        value.map((item) => ['', item] as const),
        `${place}[]`,
      );
      const [kept, left] = [shown, rest].map((items) => items.map(([, item]) => item));
      return { shown: kept, rest: left, hasRest: rest.length > 0 };
    }
    if (!isRecord(value)) return { shown: value, rest: value, hasRest: false };
    const members = Object.entries(value);
    const at = (name: string): string => (place === '' ? name : `${place}.${name}`);
    if (members.length > mostFields) {
      const { shown, rest } = this.#items(members, at('*'));
      return { shown: Object.fromEntries(shown), rest: Object.fromEntries(rest), hasRest: rest.length > 0 };
    }
    const halves = members.map(([name, member]) => [name, this.visit(member, at(name))] as const);
    return {
      shown: Object.fromEntries(halves.map(([name, { shown }]) => [name, shown])),
      rest: Object.fromEntries(halves.map(([name, { rest }]) => [name, rest])),
      hasRest: halves.some(([, { hasRest }]) => hasRest),
    };
  }

  #text(text: string, place: string): Halves {
    if (text.length <= shortText) return { shown: text, rest: text, hasRest: false };
    const end = pairEnd(text, this.#limits.characters);
    this.hasAdvanced ||= end > 0;
    // A short rest would count as a name, and be repeated in every part.
    if (text.length - end <= shortText) return { shown: text, rest: '', hasRest: false };
    this.#count(place, text.length - end);
    return { shown: `${text.slice(0, end)}…`, rest: text.slice(end), hasRest: true };
  }

  #items(
    items: readonly Item[],
    place: string,
  ): { readonly shown: readonly Item[]; readonly rest: readonly Item[] } {
    const shown: Item[] = [];
    const rest: Item[] = [];
    for (const [at, [name, item]] of items.entries()) {
      if (at >= this.#limits.items || this.#total <= 0) {
        this.#count(place, items.length - at);
        rest.push(...items.slice(at));
        break;
      }
      this.#total -= 1;
      const halves = this.visit(item, place);
      shown.push([name, halves.shown]);
      if (halves.hasRest) rest.push([name, halves.rest]);
      else this.hasAdvanced = true;
    }
    return { shown, rest };
  }

  #count(place: string, missing: number): void {
    if (missing > 0) this.leftOut.set(place, (this.leftOut.get(place) ?? 0) + missing);
  }
}

type Item = readonly [name: string, item: unknown];

/** A position at which no character of two code units is cut apart. */
function pairEnd(text: string, end: number): number {
  const isPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length;
  return isPair ? end - 1 : end;
}
