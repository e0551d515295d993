/**
 * The predicates of `#[cfg(…)]`, and their value for a compiled target.
 *
 * Invariant: an unknown value is `undefined`, never a guess: for a predicate that could not be parsed, and for an
 * option not known in that configuration.
 */
import { unreachable } from '../../base/unreachable.ts';
import type { RustToken } from './rust-token.ts';

export type CfgPredicate =
  | { readonly kind: 'option'; readonly name: string; readonly value?: string }
  | { readonly kind: 'all' | 'any'; readonly of: readonly CfgPredicate[] }
  | { readonly kind: 'not'; readonly of: CfgPredicate }
  | { readonly kind: 'unread'; readonly text: string };

/** The options with which a target was compiled. */
export interface CfgSettings {
  /** Options as the compiler prints them: `unix`, `feature="std"`. */
  readonly set: ReadonlySet<string>;
  /** Whether every option that is not in the set is known to be off, or only those every compiler knows. */
  readonly isWhole: boolean;
}

export function holds(predicate: CfgPredicate, settings: CfgSettings): boolean | undefined {
  switch (predicate.kind) {
    case 'option':
      return optionHolds(predicate, settings);
    case 'not': {
      const inner = holds(predicate.of, settings);
      return inner === undefined ? undefined : !inner;
    }
    case 'all':
    case 'any': {
      const decisive = predicate.kind === 'any';
      const parts = predicate.of.map((part) => holds(part, settings));
      if (parts.includes(decisive)) return decisive;
      return parts.includes(undefined) ? undefined : !decisive;
    }
    case 'unread':
      return undefined;
    default:
      return unreachable(predicate);
  }
}

function optionHolds(
  { name, value }: CfgPredicate & { readonly kind: 'option' },
  { set, isWhole }: CfgSettings,
): boolean | undefined {
  if (value === undefined && (name === 'true' || name === 'false')) return name === 'true';
  if (set.has(value === undefined ? name : `${name}="${value}"`)) return true;
  return isWhole || wellKnown.test(name) ? false : undefined;
}

/** Options that the compiler and cargo themselves set or leave off. */
const wellKnown =
  /^(?:unix|windows|test|doc|doctest|docsrs|miri|proc_macro|debug_assertions|overflow_checks|panic|feature|clippy|target_\w+)$/;

/** Parses the tokens between the parentheses of `cfg(…)`. */
export function readCfg(tokens: readonly RustToken[]): CfgPredicate {
  const read = readPredicate(tokens, 0);
  return read && read.next >= tokens.length
    ? read.predicate
    : { kind: 'unread', text: tokens.map(({ text }) => text).join(' ') };
}

interface Read {
  readonly predicate: CfgPredicate;
  readonly next: number;
}

function readPredicate(tokens: readonly RustToken[], at: number): Read | undefined {
  const name = tokens[at];
  if (name?.kind !== 'word') return undefined;
  const follows = tokens[at + 1]?.text;
  if (follows === '=') {
    const value = /^r?#*"([^"\\]*)"#*$/.exec(tokens[at + 2]?.text ?? '')?.[1];
    if (value === undefined) return undefined;
    return { predicate: { kind: 'option', name: name.text, value }, next: at + 3 };
  }
  if (follows !== '(') return { predicate: { kind: 'option', name: name.text }, next: at + 1 };
  const list = readList(tokens, at + 2);
  if (!list) return undefined;
  const { of, next } = list;
  if (name.text === 'all' || name.text === 'any') return { predicate: { kind: name.text, of }, next };
  const [inner] = of;
  return name.text === 'not' && inner && of.length === 1
    ? { predicate: { kind: 'not', of: inner }, next }
    : undefined;
}

function readList(
  tokens: readonly RustToken[],
  start: number,
): { readonly of: readonly CfgPredicate[]; readonly next: number } | undefined {
  const of: CfgPredicate[] = [];
  let at = start;
  while (tokens[at]?.text !== ')') {
    const part = readPredicate(tokens, at);
    if (!part) return undefined;
    of.push(part.predicate);
    at = part.next;
    if (tokens[at]?.text === ',') at += 1;
    else if (tokens[at]?.text !== ')') return undefined;
  }
  return { of, next: at + 1 };
}

/** The predicate in source form. */
export function printCfg(predicate: CfgPredicate): string {
  switch (predicate.kind) {
    case 'option':
      return predicate.value === undefined ? predicate.name : `${predicate.name} = "${predicate.value}"`;
    case 'not':
      return `not(${printCfg(predicate.of)})`;
    case 'all':
    case 'any':
      return `${predicate.kind}(${predicate.of.map(printCfg).join(', ')})`;
    case 'unread':
      return predicate.text;
    default:
      return unreachable(predicate);
  }
}
