/**
 * The parts of a Rust source that are compiled only if a condition holds.
 *
 * Invariant: a region is never shorter than what its attribute applies to. It may be longer if the tokens do not
 * determine the grammar; then more counts as conditional than is.
 */
import { type CfgPredicate, readCfg } from './cfg-predicate.ts';
import type { RustToken } from './rust-token.ts';

export interface CfgRegion {
  /** Offsets into the text. */
  readonly start: number;
  readonly end: number;
  readonly predicate: CfgPredicate;
  /** The module that the region declares without a body; its file has the same condition. */
  readonly declares?: string;
}

export function cfgRegions(tokens: readonly RustToken[]): readonly CfgRegion[] {
  const regions: CfgRegion[] = [];
  const source = new Source(tokens);
  /** The conditions of the earlier branches, by the attribute of an `else if #[cfg(…)]`. */
  const earlier = new Map<number, readonly CfgPredicate[]>();
  for (let at = 0; at < tokens.length; at += 1) {
    const macro = macroRegion(source, at);
    if (macro) regions.push(macro);
    const condition = conditionAt(source, at);
    if (!condition) continue;
    const { attribute, predicate } = condition;
    if (attribute.isInner) {
      regions.push(source.region(source.enclosing(at), predicate));
      continue;
    }
    const first = source.behindAttributes(attribute.close + 1);
    const last = endOfAnnotated(source, first);
    const before = earlier.get(at) ?? [];
    const whole = afterBranches(before, predicate);
    const declares = declaredModule(source, first, last);
    regions.push({ ...source.region([at, last], whole), ...(declares && { declares }) });
    if (source.text(first) !== '{' || source.text(last + 1) !== 'else') continue;
    const passed = [...before, predicate];
    if (source.text(last + 2) === 'if') earlier.set(last + 3, passed);
    else
      regions.push(
        source.region([last + 1, source.close(last + 2)], { kind: 'all', of: passed.map(negated) }),
      );
  }
  return regions;
}

interface Attribute {
  readonly isInner: boolean;
  /** The first token between the brackets. */
  readonly open: number;
  /** The closing bracket. */
  readonly close: number;
}

/** Tokens with their brackets matched. */
class Source {
  readonly #tokens: readonly RustToken[];
  readonly #closing = new Map<number, number>();
  /** The enclosing bracket of every token; absent at the top. */
  readonly #within: (number | undefined)[] = [];

  constructor(tokens: readonly RustToken[]) {
    this.#tokens = tokens;
    const open: number[] = [];
    for (const [at, { kind, text }] of tokens.entries()) {
      const isMark = kind === 'punctuation';
      if (isMark && ')]}'.includes(text)) {
        const opened = open.pop();
        if (opened !== undefined) this.#closing.set(opened, at);
      }
      this.#within.push(open.at(-1));
      if (isMark && '([{'.includes(text)) open.push(at);
    }
  }

  get last(): number {
    return this.#tokens.length - 1;
  }

  text(at: number): string | undefined {
    return this.#tokens[at]?.text;
  }

  isWord(at: number): boolean {
    return this.#tokens[at]?.kind === 'word';
  }

  slice(from: number, to: number): readonly RustToken[] {
    return this.#tokens.slice(from, to);
  }

  isOpening(at: number): boolean {
    const token = this.#tokens[at];
    return token?.kind === 'punctuation' && '([{'.includes(token.text);
  }

  isClosing(at: number): boolean {
    const token = this.#tokens[at];
    return token?.kind === 'punctuation' && ')]}'.includes(token.text);
  }

  /** The bracket that closes the one at `at`, or the end of the text. */
  close(at: number): number {
    return this.#closing.get(at) ?? this.last;
  }

  /** The bracketed tokens around `at`, or all. */
  enclosing(at: number): readonly [number, number] {
    const open = this.#within[at];
    return open === undefined ? [0, this.last] : [open, this.close(open)];
  }

  attributeAt(at: number): Attribute | undefined {
    if (this.text(at) !== '#') return undefined;
    const isInner = this.text(at + 1) === '!';
    const bracket = isInner ? at + 2 : at + 1;
    if (this.text(bracket) !== '[') return undefined;
    return { isInner, open: bracket + 1, close: this.close(bracket) };
  }

  /** The first token from `at` on that belongs to no attribute. */
  behindAttributes(at: number): number {
    if (this.#tokens[at]?.kind === 'documentation') return this.behindAttributes(at + 1);
    const attribute = this.attributeAt(at);
    return attribute ? this.behindAttributes(attribute.close + 1) : at;
  }

  region([from, to]: readonly [number, number], predicate: CfgPredicate): CfgRegion {
    const start = this.#tokens[from]?.start ?? 0;
    return { start, end: this.#tokens[Math.min(to, this.last)]?.end ?? start, predicate };
  }
}

/** The attribute that starts here, if it is a condition. */
function conditionAt(
  source: Source,
  at: number,
): { readonly attribute: Attribute; readonly predicate: CfgPredicate } | undefined {
  const attribute = source.attributeAt(at);
  const predicate = attribute && conditionOf(source, attribute);
  return predicate && { attribute, predicate };
}

function conditionOf(source: Source, { open, close }: Attribute): CfgPredicate | undefined {
  const name = source.text(open);
  if (name === 'cfg' && source.text(open + 1) === '(')
    return readCfg(source.slice(open + 2, source.close(open + 1)));
  if (name !== 'cfg_attr') return undefined;
  const inside = source.slice(open + 1, close);
  const isNested = inside.some(({ text }, at) => text === 'cfg' && inside[at + 1]?.text === '(');
  return isNested ? { kind: 'unread', text: inside.map(({ text }) => text).join(' ') } : undefined;
}

/** Macros with such names wrap their argument in conditions defined elsewhere; `cfg_if!` contains its own. */
function macroRegion(source: Source, at: number): CfgRegion | undefined {
  const name = source.text(at) ?? '';
  if (!source.isWord(at) || !/^cfg_\w+$/.test(name) || name === 'cfg_if' || name === 'cfg_attr')
    return undefined;
  if (source.text(at + 1) !== '!' || !source.isOpening(at + 2)) return undefined;
  return source.region([at, source.close(at + 2)], { kind: 'unread', text: `${name}!` });
}

/** The condition of a branch after others that did not hold. */
function afterBranches(before: readonly CfgPredicate[], predicate: CfgPredicate): CfgPredicate {
  return before.length > 0 ? { kind: 'all', of: [...before.map(negated), predicate] } : predicate;
}

function negated(of: CfgPredicate): CfgPredicate {
  return { kind: 'not', of };
}

/** `mod name;` */
function declaredModule(source: Source, first: number, last: number): string | undefined {
  if (source.text(last) !== ';' || source.text(last - 2) !== 'mod') return undefined;
  const start = behindVisibility(source, first);
  return start === last - 2 ? source.text(last - 1)?.replace(/^r#/, '') : undefined;
}

function behindVisibility(source: Source, at: number): number {
  if (source.text(at) !== 'pub') return at;
  return source.text(at + 1) === '(' ? source.close(at + 1) + 1 : at + 1;
}

/** Items that end with their first block, or with a semicolon before it. */
const endsWithBlock = new Set(
  'fn mod impl trait struct enum union extern macro_rules if match for while loop unsafe async'.split(' '),
);
/** Items that end with a semicolon, whatever blocks they contain. */
const endsWithSemicolon = new Set('use static let type const return break'.split(' '));

type Ending = 'block' | 'semicolon' | 'any';

function endingOf(source: Source, first: number): Ending {
  const start = behindVisibility(source, first);
  const word = source.text(start) ?? '';
  if (word === 'const' && /^(?:fn|unsafe|async|extern)$/.test(source.text(start + 1) ?? '')) return 'block';
  // A field or variable may have this name.
  if (word === 'union' && !source.isWord(start + 1)) return 'any';
  if (endsWithBlock.has(word)) return 'block';
  return endsWithSemicolon.has(word) ? 'semicolon' : 'any';
}

/** The last token of the item, statement, expression, field, arm or parameter that begins at `first`. */
function endOfAnnotated(source: Source, first: number): number {
  if (source.text(first) === '{') return source.close(first);
  const ending = endingOf(source, first);
  let angles = 0;
  let at = first;
  for (; at <= source.last; at += 1) {
    const text = source.text(at);
    if (source.isClosing(at)) return at - 1;
    if (text === ';') return at;
    if (text === ',' && ending === 'any' && angles <= 0) return at;
    angles += angleChange(source, at);
    if (!source.isOpening(at)) continue;
    const close = source.close(at);
    if (endsAtBlock(source, at, { ending, angles }) && source.text(close + 1) !== 'else') return close;
    at = close;
  }
  return source.last;
}

/** Angle brackets are no tokens of their own: those of `->` and `=>` close nothing. */
function angleChange(source: Source, at: number): -1 | 0 | 1 {
  if (source.text(at) === '<') return 1;
  return source.text(at) === '>' && !/^[-=]$/.test(source.text(at - 1) ?? '') ? -1 : 0;
}

/** Whether the bracket at `at` is a block that ends the annotated item. */
function endsAtBlock(
  source: Source,
  at: number,
  { ending, angles }: { readonly ending: Ending; readonly angles: number },
): boolean {
  if (source.text(at) !== '{' || ending === 'semicolon') return false;
  if (ending === 'block') return angles <= 0;
  const [before, last] = [source.text(at - 2), source.text(at - 1)];
  // An arm `… => { … }`, or a macro `name! { … }`.
  return (before === '=' && last === '>') || last === '!';
}
