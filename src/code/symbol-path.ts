/**
 * Addresses symbols by name: `Outer.inner`, `Type.method`, `overloaded[1]`.
 *
 * Servers name symbols differently: a Go method is at the top level as `(*T).M`, a Rust one inside `impl Trait for
 * T`, a C++ one as `ns::T::m` at its definition. All of them match `T.m`.
 *
 * Invariant: a name exactly as the server writes it wins over an equivalent one; without an index all paths are
 * tried, in document order.
 */
import { Failure } from '../base/failure.ts';
import type { CodeSymbol } from './symbol.ts';

/** Every symbol that matches the path, best match first; throws if there is none. */
export function resolveSymbolPath(
  symbols: readonly CodeSymbol[],
  path: string,
): readonly [CodeSymbol, ...CodeSymbol[]] {
  const segments = parseSymbolPath(path);
  const walk: Walk = { reached: 0, level: symbols, failure: undefined };
  const [first, ...more] = new Set(descend(walk, symbols, segments, 0));
  if (first) return [first, ...more];
  throw walk.failure ?? new SymbolNotFound(segments[walk.reached]?.text ?? path, walk.level);
}

/** The last identifier of a path, for a workspace-wide search. */
export function lastName(path: string): string {
  return plainName(parseSymbolPath(path).at(-1)?.text ?? path);
}

interface Segment {
  /** As written, without the index. */
  readonly text: string;
  /** Which of several siblings of that name, from 0. */
  readonly index: number | undefined;
  /** The separator between this segment and the one before. */
  readonly joint: string;
}

function parseSymbolPath(path: string): readonly Segment[] {
  const segments: Segment[] = [];
  let start = 0;
  let before = '';
  for (const { at, joint } of [...jointsIn(path), { at: path.length, joint: '' }]) {
    const raw = path.slice(start, at).trim();
    const [, name, index] = /^(.+)\[(\d+)\]$/s.exec(raw) ?? [];
    const text = name ?? raw;
    if (text !== '') {
      segments.push({ text, index: index === undefined ? undefined : Number(index), joint: before });
    }
    start = at + joint.length;
    before = joint;
  }
  return segments;
}

/** Names are joined by `.` or `::`; text in brackets or quotes is never split. */
function* jointsIn(path: string): Iterable<{ readonly at: number; readonly joint: '.' | '::' }> {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < path.length; at++) {
    const character = path.charAt(at);
    const joint = jointAt(path, at);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (opensQuote(path, at)) quote = character;
    else if ('([{<'.includes(character)) depth++;
    else if (')]}>'.includes(character)) depth--;
    else if (depth <= 0 && joint) {
      yield { at, joint };
      at += joint.length - 1;
    }
  }
}

function jointAt(path: string, at: number): '.' | '::' | undefined {
  if (path.charAt(at) === '.') return '.';
  return path.startsWith('::', at) ? '::' : undefined;
}

/** A lifetime has no closing quote. */
function opensQuote(path: string, at: number): boolean {
  const character = path.charAt(at);
  return '"\'`'.includes(character) && path.includes(character, at + 1);
}

interface Walk {
  /** The furthest segment that was not found, and where it was searched. */
  reached: number;
  level: readonly CodeSymbol[];
  failure: Failure | undefined;
}

function descend(
  walk: Walk,
  level: readonly CodeSymbol[],
  segments: readonly Segment[],
  at: number,
): readonly CodeSymbol[] {
  const found: CodeSymbol[] = [];
  // One symbol's name may contain several segments, so all numbers of segments are tried.
  for (let taken = 1; at + taken <= segments.length; taken++) {
    const named = segments.slice(at, at + taken);
    const siblings = pick(walk, siblingsNamed(level, named), named);
    for (const symbol of siblings) {
      if (at + taken === segments.length) found.push(symbol);
      else found.push(...descend(walk, symbol.children, segments, at + taken));
    }
  }
  if (found.length === 0 && at >= walk.reached) {
    walk.reached = at;
    walk.level = level;
  }
  return found;
}

/** The symbols of one level with a name, exact matches first. */
function siblingsNamed(
  level: readonly CodeSymbol[],
  named: readonly Segment[],
): { readonly exact: readonly CodeSymbol[]; readonly alike: readonly CodeSymbol[] } {
  const written = named.map(({ text, joint }, index) => (index === 0 ? text : joint + text)).join('');
  const taken = named.length;
  const meant = named.map(({ text }) => plainName(text)).join('.');
  const exact = level.filter(({ name }) => name === written);
  const wantsImpl = isImpl(written);
  const alike = level.filter(
    (symbol) =>
      !exact.includes(symbol) &&
      (!wantsImpl || isImpl(symbol.name)) &&
      plainNames(symbol.name).some((name) => name === meant || (taken > 1 && name.endsWith(`.${meant}`))),
  );
  return { exact, alike };
}

function pick(
  walk: Walk,
  { exact, alike }: ReturnType<typeof siblingsNamed>,
  named: readonly Segment[],
): readonly CodeSymbol[] {
  const index = named.at(-1)?.index;
  if (index === undefined) return [...exact, ...alike];
  const siblings = exact.length > 0 ? exact : alike;
  const chosen = siblings[index];
  if (chosen) return [chosen];
  if (siblings.length > 0) {
    walk.failure ??= new OverloadOutOfBounds(index, named.at(-1)?.text ?? '', siblings.length);
  }
  return [];
}

/** The normalised form of a server's name: dotted, without pointers, parameters and surrounding words. */
function plainNames(name: string): readonly string[] {
  const impl = /^impl\b(?:\s*<[^>]*>)?\s+(?:(.+)\s+for\s+)?(.+)$/.exec(name);
  if (impl) return [plainName(impl[2] ?? ''), plainName(impl[1] ?? '')].filter((part) => part !== '');
  const whole = parseSymbolPath(name)
    .map(({ text }) => plainName(text))
    .join('.');
  return [whole];
}

function isImpl(name: string): boolean {
  return /^impl\b/.test(name);
}

/** One segment without additions of servers and callers. */
function plainName(segment: string): string {
  const bare = segment
    .trim()
    .replace(/^impl\b(?:\s*<[^>]*>)?\s+(?:.+\s+for\s+)?/, '')
    .replace(/^\((?:get|set)\)\s*/, '')
    .replace(/^\(\s*[*&]*\s*(.+?)\s*\)$/, '$1')
    .replace(/^[*&]+/, '')
    .replace(/^(["'`])(.*)\1$/, '$2');
  // A computed name consists of brackets; elsewhere they contain type parameters or parameters.
  const cut = bare.startsWith('[') ? bare : bare.replace(/[<([].*$/s, '');
  const path = cut === '' ? bare : cut;
  return path.split('::').at(-1) ?? path;
}

class SymbolNotFound extends Failure {
  readonly code = 'code/symbol-not-found';
  readonly remedy: string;

  constructor(name: string, level: readonly CodeSymbol[]) {
    super(`resolve symbol: symbol "${name}" not found at current level.`);
    const names = [...new Set(level.map((symbol) => symbol.name))];
    this.remedy =
      names.length === 0
        ? 'There are no symbols at that level; check the preceding part of the path.'
        : `Names at that level: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}.`;
  }
}

class OverloadOutOfBounds extends Failure {
  readonly code = 'code/overload-out-of-bounds';
  readonly remedy: string;

  constructor(index: number, name: string, count: number) {
    super(`overload index [${index}] out of bounds for "${name}" (found ${count} matches)`);
    this.remedy = `Use an index from 0 to ${count - 1}.`;
  }
}
