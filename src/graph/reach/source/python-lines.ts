/**
 * The logical lines of a Python text: without comments and blank lines, brackets and continued lines joined, runs of
 * blanks reduced to one. Texts with the same lines have the same tokens.
 *
 * Comments for type checkers are kept. Strings are kept as written, including docstrings.
 *
 * Invariant: if the end of a string or bracket is uncertain there are no lines, and the text can only be compared as
 * a whole.
 */
export interface LogicalLine {
  /** Its indentation. */
  readonly indent: string;
  readonly code: string;
}

export function pythonLines(text: string): readonly LogicalLine[] | undefined {
  try {
    return new LineReader(text).read();
  } catch (thrown) {
    if (thrown instanceof Unreadable) return undefined;
    throw thrown;
  }
}

/** Whether two texts differ only in comments, blank lines and blanks. */
export function haveSamePythonTokens(before: string, after: string): boolean {
  if (before === after) return true;
  const [old, now] = [pythonLines(before), pythonLines(after)];
  if (old === undefined || now === undefined || old.length !== now.length) return false;
  return old.every(({ indent, code }, at) => indent === now[at]?.indent && code === now[at]?.code);
}

class Unreadable extends Error {}

/** A comment that pyright or another checker reads; it may follow another comment on its line. */
const directive = /#\s*(?:type|pyright|basedpyright|mypy)\b/;

class LineReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #code = '';
  #indent = '';
  readonly #lines: LogicalLine[] = [];

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  }

  read(): readonly LogicalLine[] {
    this.#beginLine();
    while (this.#at < this.#text.length) this.#step();
    if (this.#depth > 0) throw new Unreadable();
    this.#endLine();
    return this.#lines;
  }

  #step(): void {
    const char = this.#text.charAt(this.#at);
    if (char === '\n') this.#newline();
    else if (char === '#') this.#comment();
    else if (isBlank(char)) this.#blank(1);
    else if (char === '\\') this.#continuation();
    else if (char === '"' || char === "'") this.#string('');
    else if (isNameStart(char)) this.#name();
    else this.#take(char);
  }

  #take(char: string): void {
    if ('([{'.includes(char)) this.#depth += 1;
    if (')]}'.includes(char)) this.#depth -= 1;
    if (this.#depth < 0) throw new Unreadable();
    this.#code += char;
    this.#at += 1;
  }

  #newline(): void {
    if (this.#depth > 0) {
      this.#blank(1);
      return;
    }
    this.#at += 1;
    this.#endLine();
    this.#beginLine();
  }

  #beginLine(): void {
    const [indent = ''] = /^[ \t\f]*/.exec(this.#text.slice(this.#at, this.#at + 400)) ?? [];
    this.#indent = indent;
    this.#at += indent.length;
    this.#code = '';
  }

  #endLine(): void {
    const code = this.#code.trimEnd();
    if (code !== '') this.#lines.push({ indent: this.#indent, code });
    this.#code = '';
  }

  #blank(length: number): void {
    if (this.#code !== '' && !this.#code.endsWith(' ')) this.#code += ' ';
    this.#at += length;
  }

  #continuation(): void {
    if (this.#text.charAt(this.#at + 1) !== '\n') throw new Unreadable();
    this.#blank(2);
  }

  #comment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    const comment = this.#text.slice(this.#at, end < 0 ? undefined : end);
    // A directive applies to its own line, so the end of that line counts even inside brackets.
    if (directive.test(comment)) this.#code += `${comment}\n`;
    this.#at += comment.length;
  }

  #name(): void {
    const start = this.#at;
    while (isNamePart(this.#text.charAt(this.#at))) this.#at += 1;
    const name = this.#text.slice(start, this.#at);
    const next = this.#text.charAt(this.#at);
    if (isQuote(next) && /^(?:[rbuft]|[rbft]{2})$/i.test(name)) this.#string(name);
    else this.#code += name;
  }

  /** Reads a string from its quote on; its prefix has been read. */
  #string(prefix: string): void {
    const start = this.#at;
    this.#skipString(/[ft]/i.test(prefix) ? 'template' : 'plain');
    this.#code += prefix + this.#text.slice(start, this.#at);
  }

  #skipString(kind: 'plain' | 'template'): void {
    const char = this.#text.charAt(this.#at);
    const quote = this.#text.startsWith(char.repeat(3), this.#at) ? char.repeat(3) : char;
    this.#at += quote.length;
    while (!this.#text.startsWith(quote, this.#at)) {
      const here = this.#text.charAt(this.#at);
      if (here === '' || (here === '\n' && quote.length === 1)) throw new Unreadable();
      if (here === '\\') this.#at += 2;
      else if (kind === 'template' && this.#text.startsWith('{{', this.#at)) this.#at += 2;
      else if (kind === 'template' && here === '{') this.#skipField();
      else this.#at += 1;
    }
    this.#at += quote.length;
  }

  /** Skips `{expression!conversion:format}`, in which strings may hold any quote and fields may nest. */
  #skipField(): void {
    let depth = 0;
    let part: 'expression' | 'format' = 'expression';
    do {
      const char = this.#text.charAt(this.#at);
      if (part === 'format' && char === '{') {
        this.#skipField();
        continue;
      }
      if (part === 'expression' && isQuote(char)) {
        this.#skipFieldString();
        continue;
      }
      if (char === '' || char === unreadableIn[part]) throw new Unreadable();
      depth += nestingOf(char);
      if (char === ':' && depth === 1) part = 'format';
      this.#at += 1;
    } while (depth > 0);
  }

  /** Skips a string in an expression of a field; its prefix has been read as a name. */
  #skipFieldString(): void {
    const prefix = /[A-Za-z]*$/.exec(this.#text.slice(Math.max(0, this.#at - 3), this.#at))?.[0] ?? '';
    this.#skipString(/^[rbft]{1,2}$/i.test(prefix) && /[ft]/i.test(prefix) ? 'template' : 'plain');
  }
}

/** A comment in the expression of a field, and an escape in its format. */
const unreadableIn = { expression: '#', format: '\\' } as const;

function isQuote(char: string): boolean {
  return char === '"' || char === "'";
}

/** How a character changes the depth of brackets. */
function nestingOf(char: string): -1 | 0 | 1 {
  if ('([{'.includes(char)) return 1;
  return ')]}'.includes(char) ? -1 : 0;
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\f';
}

function isNameStart(char: string): boolean {
  return /[A-Za-z_\u0080-\uffff]/.test(char);
}

function isNamePart(char: string): boolean {
  return char !== '' && /[\w\u0080-\uffff]/.test(char);
}
