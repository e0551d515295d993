/**
 * Parses a simple command: assignments, words and redirects.
 *
 * Invariant: the name of a command is literal, so that it has no other meaning.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { refuseName } from './command-name.ts';
import type { Assignment, OutputRedirect, ShellCommand, ShellInput, ShellWord } from './shell-list.ts';
import type { ShellScanner, Token } from './shell-scanner.ts';
import { finish } from './word-scanner.ts';

export function readSimple(scanner: ShellScanner): ShellCommand | ShellBoundary {
  const draft = new CommandDraft();
  for (;;) {
    const token = scanner.peek();
    if (isBoundary(token)) return token;
    const refused = draft.add(token);
    if (refused === 'ends') return draft.finish(atOf(token));
    if (refused) return refused;
    scanner.next();
  }
}

/** The position of a token. */
export function atOf(token: Token): number {
  return token.kind === 'word' ? token.word.at : token.at;
}

class CommandDraft {
  readonly #argv: ShellWord[] = [];
  readonly #assignments: Assignment[] = [];
  readonly #redirects: OutputRedirect[] = [];
  #input: ShellInput | undefined;

  add(token: Token): ShellBoundary | 'ends' | undefined {
    switch (token.kind) {
      case 'word':
        return this.#word(token);
      case 'redirect':
        this.#redirects.push(token.redirect);
        return undefined;
      case 'input':
        if (this.#input) return boundary('redirect', token.at, 'a command has two inputs');
        this.#input = token.input;
        return undefined;
      case 'open':
        return boundary('grouping', token.at, 'a function or a pattern with parentheses is not read');
      default:
        return 'ends';
    }
  }

  #word({ word, more }: Extract<Token, { kind: 'word' }>): undefined {
    const assignment = this.#argv.length === 0 && more.length === 0 ? asAssignment(word) : undefined;
    if (assignment) this.#assignments.push(assignment);
    else this.#argv.push(word, ...more);
  }

  finish(at: number): ShellCommand | ShellBoundary {
    const [name] = this.#argv;
    const [assignment] = this.#assignments;
    const input = this.#input;
    const common = {
      kind: 'simple' as const,
      input,
      redirects: this.#redirects,
      assignments: this.#assignments,
    };
    if (name === undefined) {
      if (assignment && !input && this.#redirects.length === 0)
        return { ...common, argv: [], at: assignment.at };
      return boundary(
        assignment || input || this.#redirects.length > 0 ? 'redirect' : 'unfinished',
        at,
        'a command is missing before this',
      );
    }
    return refuseName(name) ?? { ...common, argv: this.#argv, at: name.at };
  }
}

/** A word whose expansions are not split, as in an assignment and inside `[[`. */
export function quotedWord(word: ShellWord): ShellWord {
  const parts = word.parts?.map((part) => ('quoted' in part ? { ...part, quoted: true } : part));
  return parts ? { ...word, parts } : word;
}

/** `name=value`, with a literal name and equals sign. */
function asAssignment(word: ShellWord): Assignment | undefined {
  // Braces are not expanded in an assignment; `$'…'` is.
  const [first] = word.parts ?? word.pattern ?? (word.respelled && word.bare ? [] : [{ literal: word.text }]);
  const written = first && 'literal' in first ? first.literal : '';
  const head = /^([A-Za-z_]\w*)=/.exec(written);
  if (!head || (!word.bare && !isBareHead(word, head[0]))) return undefined;
  const rest = [{ literal: written.slice(head[0].length) }, ...(word.parts ?? word.pattern ?? []).slice(1)];
  // In an assignment nothing is split, and no pattern is expanded.
  const value = quotedWord({ ...word, ...finish(rest), at: word.at + head[0].length });
  return { name: head[1] ?? '', value, at: word.at };
}

/** Whether quotes start only after the equals sign, as in `a="b c"`. */
function isBareHead(word: ShellWord, head: string): boolean {
  return word.head !== undefined && word.head >= head.length;
}
