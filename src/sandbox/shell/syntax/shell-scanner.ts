/**
 * Takes a shell text apart into words, joiners and redirects.
 *
 * Invariant: the scanner accepts; it does not recognise. A character that is not named here as plain ends
 * the reading, so that syntax nobody thought of is refused.
 */
import { type BoundaryRule, boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { scanRedirect } from './redirect-scanner.ts';
import { type Scanned, sticky } from './scanned.ts';
import type { OutputRedirect, ShellInput, ShellWord } from './shell-list.ts';
import { scanWord } from './word-scanner.ts';

export type Joiner = '|' | '&&' | '||' | ';' | 'newline';

export type Token =
  | { readonly kind: 'word'; readonly word: ShellWord }
  | { readonly kind: 'joiner'; readonly joiner: Joiner; readonly at: number }
  | { readonly kind: 'input'; readonly input: ShellInput; readonly at: number }
  | { readonly kind: 'redirect'; readonly redirect: OutputRedirect; readonly at: number }
  | { readonly kind: 'end'; readonly at: number };

export class ShellScanner {
  readonly #text: string;
  #at = 0;
  #body: Scanned<unknown>['body'];

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token | ShellBoundary {
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
    return this.#redirect(at) ?? this.#joiner(at) ?? this.#refused(at) ?? this.#word(at);
  }

  /** Blanks, comments, and line ends escaped between words. Inside a word an escaped line end is refused. */
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

  #redirect(at: number): Token | ShellBoundary | undefined {
    const scanned = scanRedirect(this.#text, at);
    if (scanned === undefined || isBoundary(scanned)) return scanned;
    const taken = this.#take(scanned);
    if (taken) return taken;
    const { value } = scanned;
    return typeof value === 'string'
      ? { kind: 'redirect', redirect: value, at }
      : { kind: 'input', input: value, at };
  }

  #joiner(at: number): Token | undefined {
    const joiner = sticky(/&&|\|\||\|(?!&)|;(?![;&])/y, this.#text, at);
    if (joiner !== '&&' && joiner !== '||' && joiner !== '|' && joiner !== ';') return undefined;
    this.#at += joiner.length;
    return { kind: 'joiner', joiner, at };
  }

  #refused(at: number): ShellBoundary | undefined {
    const named = refusedStarts[this.#text[at] ?? ''];
    return named && boundary(named[0], at, named[1]);
  }

  #word(at: number): Token | ShellBoundary {
    const scanned = scanWord(this.#text, at);
    if (isBoundary(scanned)) return scanned;
    return this.#take(scanned) ?? { kind: 'word', word: scanned.value };
  }

  #take({ end, body }: Scanned<unknown>): ShellBoundary | undefined {
    if (this.#body && body) return boundary('here-document', this.#at, 'one line has two here-documents');
    // A line end inside quotes would leave it open where the body of the here-document starts.
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
  '|': ['operator', '|& is not read'],
  ';': ['operator', ';; and ;& belong to a case statement'],
  '(': ['grouping', 'a subshell or function is not read'],
  ')': ['grouping', 'a parenthesis stands outside quotes'],
};
