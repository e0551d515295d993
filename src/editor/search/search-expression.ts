/**
 * A query as a regular expression, and what it finds in one text.
 *
 * Invariants: matches are in order, disjoint and never empty. Lines end with a line feed; a match may hold some. An
 * expression that takes too long ends with a failure and never holds up the process for longer than its limit.
 */
import { BoundedRun } from '../../agent/search/bounded-run.ts';
import { Failure, messageOf } from '../../base/failure.ts';
import type { SearchQuery } from '../protocol/search.ts';

export interface TextMatch {
  readonly start: number;
  readonly end: number;
  /** What its groups hold, the whole match first. */
  readonly groups: readonly (string | undefined)[];
  readonly named: Readonly<Record<string, string | undefined>>;
}

export type SearchedQuery = Pick<SearchQuery, 'text' | 'kind' | 'isCaseSensitive' | 'isWholeWord'>;

/** What one step may take, and what each text of it may take alone where the step took too long. */
const stepMs = 250;
const aloneMs = 1000;

export class SearchExpression {
  readonly #query: SearchedQuery;
  readonly #expression: RegExp;
  readonly #bounded = new BoundedRun();

  constructor(query: SearchedQuery) {
    this.#query = query;
    this.#expression = compiled(query);
  }

  /** The matches of each text, at most `most` of a text. */
  matchesIn(texts: readonly string[], most: number): readonly (readonly TextMatch[])[] {
    const find = (text: string): readonly TextMatch[] => found(this.#expression, text, most);
    // Only an expression of the user can take longer than its text is long.
    if (this.#query.kind === 'literal') return texts.map(find);
    const together = this.#bounded.within(stepMs, () => texts.map(find));
    if (together) return together.value;
    return texts.map((text) => {
      const alone = this.#bounded.within(aloneMs, () => find(text));
      if (!alone) throw new SlowExpression(this.#query.text);
      return alone.value;
    });
  }

  /** The text that takes the place of a match. */
  replacementOf(match: TextMatch, template: string): string {
    const lines = template.replaceAll('\r\n', '\n');
    return this.#query.kind === 'literal' ? lines : expanded(lines, match);
  }
}

class SlowExpression extends Failure {
  readonly code = 'editor/slow-expression';
  readonly remedy = 'Make it simpler: avoid a repetition inside a repetition, such as (a+)+.';

  constructor(expression: string) {
    super(`the expression ${expression} takes too long`);
  }
}

class InvalidExpression extends Failure {
  readonly code = 'editor/invalid-expression';
  readonly remedy = 'Correct it, or turn expressions off to search for it as text.';

  constructor(expression: string, cause: unknown) {
    const reason = messageOf(cause).replace(/^Invalid regular expression: .*: /, '');
    super(`${expression} is not a regular expression: ${reason}`, { cause });
  }
}

const wordCharacter = '[\\p{L}\\p{M}\\p{N}_]';

function compiled({ text, kind, isCaseSensitive, isWholeWord }: SearchedQuery): RegExp {
  const source = kind === 'literal' ? escaped(text.replaceAll('\r\n', '\n')) : text;
  const whole = isWholeWord ? wholeWord(source, kind === 'literal' ? text : undefined) : source;
  const flags = isCaseSensitive ? 'gm' : 'gim';
  try {
    return new RegExp(whole, `${flags}u`);
  } catch (thrown) {
    // Without the Unicode flag more is allowed, such as an escaped quote; its word characters are not.
    const lenient = isWholeWord ? `\\b(?:${source})\\b` : source;
    try {
      return new RegExp(lenient, flags);
    } catch {
      throw new InvalidExpression(text, thrown);
    }
  }
}

/** At an end of a literal that is no part of a word, such as a bracket, anything may follow. */
function wholeWord(source: string, literal: string | undefined): string {
  const isWordAt = (edge: RegExp): boolean => literal === undefined || edge.test(literal);
  const before = isWordAt(new RegExp(`^${wordCharacter}`, 'u')) ? `(?<!${wordCharacter})` : '';
  const after = isWordAt(new RegExp(`${wordCharacter}$`, 'u')) ? `(?!${wordCharacter})` : '';
  return `${before}(?:${source})${after}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function found(expression: RegExp, text: string, most: number): readonly TextMatch[] {
  const matches: TextMatch[] = [];
  for (const match of text.matchAll(expression)) {
    const [whole] = match;
    if (whole === '') continue;
    matches.push({
      start: match.index,
      end: match.index + whole.length,
      groups: [...match],
      named: { ...match.groups },
    });
    if (matches.length >= most) break;
  }
  return matches;
}

/** `$$`, `$&`, `$1` to `$99` and `$<name>`, as in JavaScript; anything else is literal. */
function expanded(template: string, { groups, named }: TextMatch): string {
  return template.replaceAll(/\$(?:(\$)|(&)|(\d{1,2})|<([^>]*)>)/g, (piece, dollar, whole, digits, name) => {
    if (dollar !== undefined) return '$';
    if (whole !== undefined) return groups[0] ?? '';
    if (name !== undefined) return name in named ? (named[name] ?? '') : piece;
    return numbered(groups, digits) ?? piece;
  });
}

/** `$12` is group 12, or group 1 followed by a 2 where there are fewer. */
function numbered(groups: readonly (string | undefined)[], digits: string): string | undefined {
  const number = Number(digits);
  if (number > 0 && number < groups.length) return groups[number] ?? '';
  const first = Number(digits.charAt(0));
  if (digits.length < 2 || first === 0 || first >= groups.length) return undefined;
  return (groups[first] ?? '') + digits.slice(1);
}
