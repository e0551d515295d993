/**
 * Splits a shell text into words, joiners and redirects.
 *
 * Invariant: the scanner has an allow list. A character that is not listed here as plain ends the scan, so that
 * unknown syntax is refused.
 */
import { type BoundaryRule, boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { scanRedirect } from './redirect-scanner.ts';
import { type NestedScripts, type Scanned, sticky } from './scanned.ts';
import type { OutputRedirect, ShellInput, ShellWord } from './shell-list.ts';
import { isWordEnd, scanWords } from './word-scanner.ts';

export type Joiner = '|' | '|&' | '&&' | '||' | ';' | 'newline';

export type Token =
  | { readonly kind: 'word'; readonly word: ShellWord; readonly more: readonly ShellWord[] }
  | { readonly kind: 'open' | 'close'; readonly at: number }
  | { readonly kind: 'joiner'; readonly joiner: Joiner; readonly at: number }
  | { readonly kind: 'input'; readonly input: ShellInput; readonly at: number }
  | { readonly kind: 'redirect'; readonly redirect: OutputRedirect; readonly at: number }
  | { readonly kind: 'end'; readonly at: number };

export class ShellScanner {
  readonly #text: string;
  readonly #nested: NestedScripts;
  #at: number;
  #body: Scanned<unknown>['body'];
  #ahead: Token | ShellBoundary | undefined;

  constructor(text: string, at: number, nested: NestedScripts) {
    this.#text = text;
    this.#at = at;
    this.#nested = nested;
  }

  /** The current position; valid while no token is buffered. */
  get at(): number {
    return this.#at;
  }

  /** Takes text that is no token of its own; undefined if it does not stand here. Only while no token is buffered. */
  takeText(expression: RegExp): RegExpExecArray | undefined {
    if (this.#ahead !== undefined || this.#body !== undefined) return undefined;
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text);
    if (found) this.#at += found[0].length;
    return found ?? undefined;
  }

  next(): Token | ShellBoundary {
    const token = this.peek();
    this.#ahead = undefined;
    return token;
  }

  /** The next token, which stays the next one. */
  peek(): Token | ShellBoundary {
    this.#ahead ??= this.#scan();
    return this.#ahead;
  }

  #scan(): Token | ShellBoundary {
    const blocked = this.#skipBlanks();
    if (blocked) return blocked;
    const at = this.#at;
    const character = this.#text[at];
    if (character === undefined) {
      return this.#body
        ? boundary('here-document', at, 'the here-document has no body')
        : { kind: 'end', at };
    }
    if (character === '\n') return this.#newline(at);
    return (
      this.#provided(at) ??
      this.#redirect(at) ??
      this.#joiner(at) ??
      this.#parenthesis(at) ??
      this.#refused(at) ??
      this.#word(at)
    );
  }

  /** Skips blanks, comments, and escaped line ends between words. Inside a word an escaped line end is refused. */
  #skipBlanks(): ShellBoundary | undefined {
    for (;;) {
      const skipped = sticky(/[ \t]+|\\\n/y, this.#text, this.#at);
      if (skipped === undefined) break;
      if (skipped === '\\\n' && this.#body) return lineGoesOn(this.#at);
      this.#at += skipped.length;
    }
    if (this.#text[this.#at] === '#') this.#at += sticky(/[^\n]*/y, this.#text, this.#at)?.length ?? 0;
    return undefined;
  }

  #newline(at: number): Token {
    this.#at = this.#body?.end ?? at + 1;
    this.#body = undefined;
    return { kind: 'joiner', joiner: 'newline', at };
  }

  /** `<(…)` as a whole word; a word that goes on before or behind it is refused. */
  #provided(at: number): Token | ShellBoundary | undefined {
    if (!this.#text.startsWith('<(', at)) return undefined;
    const script = this.#nested.parenthesised(at + 2, 'file');
    if (isBoundary(script)) return script;
    if ((at > 0 && !isWordEnd(this.#text[at - 1])) || !isWordEnd(this.#text[script.end]))
      return boundary('expansion', at, '<(…) must be a word of its own');
    const parts = [{ file: script.value, quoted: true }];
    const word: ShellWord = { text: '', at, bare: false, pattern: undefined, parts };
    return this.#take(script) ?? { kind: 'word', word, more: [] };
  }

  #redirect(at: number): Token | ShellBoundary | undefined {
    const scanned = scanRedirect(this.#text, at, this.#nested);
    if (scanned === undefined || isBoundary(scanned)) return scanned;
    const taken = this.#take(scanned);
    if (taken) return taken;
    const { value } = scanned;
    return typeof value === 'string'
      ? { kind: 'redirect', redirect: value, at }
      : { kind: 'input', input: value, at };
  }

  #joiner(at: number): Token | undefined {
    const joiner = sticky(/&&|\|\||\|&|\||;(?![;&])/y, this.#text, at);
    if (joiner !== '&&' && joiner !== '||' && joiner !== '|' && joiner !== '|&' && joiner !== ';')
      return undefined;
    this.#at += joiner.length;
    return { kind: 'joiner', joiner, at };
  }

  /** Two opening parentheses are arithmetic. */
  #parenthesis(at: number): Token | undefined {
    const character = this.#text[at];
    if ((character !== '(' && character !== ')') || this.#text.startsWith('((', at)) return undefined;
    this.#at += 1;
    return { kind: character === '(' ? 'open' : 'close', at };
  }

  #refused(at: number): ShellBoundary | undefined {
    const named = refusedStarts[this.#text[at] ?? ''];
    return named && boundary(named[0], at, named[1]);
  }

  #word(at: number): Token | ShellBoundary {
    const scanned = scanWords(this.#text, at, this.#nested);
    if (isBoundary(scanned)) return scanned;
    const [word, ...more] = scanned.value;
    if (word === undefined) return boundary('brace', at, 'the braces stand for nothing');
    return this.#take(scanned) ?? { kind: 'word', word, more };
  }

  #take({ end, body }: Scanned<unknown>): ShellBoundary | undefined {
    if (this.#body && body) return boundary('here-document', this.#at, 'one line has two here-documents');
    // A line end inside quotes would leave the line open where the body of the here-document starts.
    if (this.#body && end > this.#body.lineEnd) return lineGoesOn(this.#at);
    this.#at = end;
    this.#body ??= body;
    return undefined;
  }
}

function lineGoesOn(at: number): ShellBoundary {
  return boundary('here-document', at, 'the line of a here-document goes on over a line end');
}

const refusedStarts: Readonly<Record<string, readonly [BoundaryRule, string]>> = {
  '&': ['background', 'a command would be left running in the background'],
  ';': ['operator', ';; and ;& belong to a case statement'],
  '(': ['grouping', 'arithmetic is not read'],
};
