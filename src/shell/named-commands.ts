/**
 * The commands that a shell text names, for callers that recognise commands by their words.
 *
 * Unlike the parser, which accepts only provably read-only text, this splits any text, including redirects,
 * background jobs and programs given by a path. It proves nothing about the effects of a text; use `readShellCommand`
 * for that.
 *
 * Invariant: for a text that the parser accepts, the commands are those of the parser.
 */

/** The name of a command and its arguments, without quotes, assignments, keywords and redirects. */
export type NamedCommand = readonly string[];

export function namedCommands(text: string): readonly NamedCommand[] {
  return new CommandSplitter(text).commands().flatMap((words) => withoutPrefix(words));
}

/**
 * Whether a command begins with the words of a pattern. A word may list alternatives (`build|vet`), end in `*` for
 * any ending, or in `?` if it is optional.
 */
export function beginsWith(command: NamedCommand, pattern: string): boolean {
  let at = 0;
  for (const expected of pattern.split(' ')) {
    const isOptional = expected.endsWith('?');
    const alternatives = (isOptional ? expected.slice(0, -1) : expected).split('|');
    const word = command[at];
    if (word !== undefined && alternatives.some((each) => isSpelled(word, each))) at += 1;
    else if (!isOptional) return false;
  }
  return true;
}

function isSpelled(word: string, pattern: string): boolean {
  return pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern;
}

/** Keywords of the shell that can precede a command. */
const keywords: ReadonlySet<string> = new Set('if then else elif while until do ! { time'.split(' '));

/** Programs that run the command after them and their options. */
const wrappers: ReadonlySet<string> = new Set(['sudo', 'env', 'command', 'exec', 'nice']);

function withoutPrefix(words: readonly string[]): readonly NamedCommand[] {
  let [at, isWrapped] = [0, false];
  for (let word = words[at]; word !== undefined; word = words[at]) {
    const isPrefix = keywords.has(word) || wrappers.has(word) || /^[A-Za-z_]\w*=/.test(word);
    if (!isPrefix && !(isWrapped && word.startsWith('-'))) break;
    isWrapped ||= wrappers.has(word);
    at += 1;
  }
  return at < words.length ? [words.slice(at)] : [];
}

/** Splits a text at its operators, brackets and line ends, and the rest into words. */
class CommandSplitter {
  readonly #text: string;
  readonly #commands: string[][] = [];
  #words: string[] = [];
  /** Undefined between words. */
  #word: string | undefined;
  #isRedirect = false;
  #at = 0;
  /** The open brackets and substitutions, innermost last, and whether they are in double quotes. */
  readonly #open: { readonly by: '(' | '`'; readonly isQuoted: boolean }[] = [];
  #isQuoted = false;

  constructor(text: string) {
    this.#text = text;
  }

  commands(): readonly (readonly string[])[] {
    while (this.#at < this.#text.length) this.#step();
    this.#endCommand();
    return this.#commands;
  }

  #step(): void {
    const character = this.#text[this.#at] ?? '';
    const next = this.#text[this.#at + 1] ?? '';
    this.#at += 1;
    if (character === '\\') this.#escape(next);
    else if (character === '"') this.#toggleQuotes();
    else if (character === '$' && next === '(') this.#substitute();
    else if (character === '`') this.#backtick();
    else if (this.#isQuoted) this.#add(character);
    else this.#stepUnquoted(character);
  }

  #stepUnquoted(character: string): void {
    if (character === "'") this.#literal();
    else if (character === '#' && this.#word === undefined) this.#skipComment();
    else if (character === '>' || character === '<') this.#redirect();
    else if (character === '(') this.#enter('(');
    else if (character === ')') this.#leave();
    else if (';&|\n'.includes(character)) this.#endCommand();
    else if (/\s/.test(character)) this.#endWord();
    else this.#add(character);
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  /** An escaped line end joins two lines. */
  #escape(character: string): void {
    this.#at += 1;
    if (character !== '\n') this.#add(character);
  }

  #toggleQuotes(): void {
    this.#isQuoted = !this.#isQuoted;
    this.#add('');
  }

  #literal(): void {
    const end = this.#text.indexOf("'", this.#at);
    const stop = end < 0 ? this.#text.length : end;
    this.#add(this.#text.slice(this.#at, stop));
    this.#at = stop + 1;
  }

  #substitute(): void {
    this.#at += 1;
    this.#enter('(');
  }

  #backtick(): void {
    if (this.#open.at(-1)?.by === '`') this.#leave();
    else this.#enter('`');
  }

  #enter(by: '(' | '`'): void {
    this.#endCommand();
    this.#open.push({ by, isQuoted: this.#isQuoted });
    this.#isQuoted = false;
  }

  #leave(): void {
    this.#endCommand();
    this.#isQuoted = this.#open.pop()?.isQuoted ?? false;
  }

  #skipComment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  /** The number before the operator and the word after it are not words of the command. */
  #redirect(): void {
    if (this.#word !== undefined && /^\d*$/.test(this.#word)) this.#word = undefined;
    this.#endWord();
    while (/[<>&|]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    while (/[ \t]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    this.#isRedirect = true;
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    if (!this.#isRedirect) this.#words.push(this.#word);
    this.#isRedirect = false;
    this.#word = undefined;
  }

  #endCommand(): void {
    this.#endWord();
    this.#isRedirect = false;
    if (this.#words.length > 0) this.#commands.push(this.#words);
    this.#words = [];
  }
}
