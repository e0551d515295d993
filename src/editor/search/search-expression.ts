/**
 * A query as a regular expression, and what it finds in texts.
 *
 * Invariants: matches are in order, disjoint and never empty. Lines end with a line feed; a match may hold some. An
 * expression that takes too long ends with a failure; the process goes on meanwhile.
 */
import { Failure, messageOf } from '../../base/failure.ts';
import type { SearchQuery } from '../protocol/search.ts';
import { ExpressionWorker, type TextMatch } from './expression-worker.ts';

export type SearchedQuery = Pick<SearchQuery, 'text' | 'kind' | 'isCaseSensitive' | 'isWholeWord'>;

/** What the texts of one call may take: a megabyte is searched in a hundredth of it. */
const limitMs = 2000;

export class SearchExpression implements AsyncDisposable {
  readonly #query: SearchedQuery;
  readonly #expression: RegExp;
  readonly #worker = new ExpressionWorker();

  constructor(query: SearchedQuery) {
    this.#query = query;
    this.#expression = compiled(query);
  }

  /** The matches of each text, at most `most` of a text. */
  async matchesIn(
    texts: readonly string[],
    most: number,
    signal: AbortSignal,
  ): Promise<readonly (readonly TextMatch[])[]> {
    const question = { expression: this.#expression, texts, most };
    const found = await this.#worker.matches(question, limitMs, signal);
    if (!found) throw new SlowExpression(this.#query.text);
    return found;
  }

  /** The text that takes the place of a match. */
  replacementOf(match: TextMatch, template: string): string {
    const lines = template.replaceAll('\r\n', '\n');
    return this.#query.kind === 'literal' ? lines : expanded(lines, match);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker[Symbol.asyncDispose]();
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
