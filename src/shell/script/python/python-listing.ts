/**
 * Finds the variables of a Python program that hold names from a listing: `for f in glob.glob('src/*.py')`.
 *
 * Invariant: a variable is one of these only if every place that binds it is such a loop, so that its value is always
 * the name of an entry below a directory that the program names.
 */
import type { PythonToken } from './python-token.ts';

/** What a variable holds: a path below a listed directory, a directory of a walk, the plain names in one. */
export type ListedKind = 'file' | 'directory' | 'name' | 'names' | 'argument';

export interface PythonListing {
  readonly variables: ReadonlyMap<string, ListedKind>;
  /** The listed directories, as written. */
  readonly directories: readonly string[];
}

export function pythonListing(tokens: readonly PythonToken[]): PythonListing {
  const finder = new ListingFinder(tokens);
  // The files of a walk are found before the loops over them.
  finder.find();
  finder.find();
  return finder.listing();
}

class ListingFinder {
  readonly #tokens: readonly PythonToken[];
  readonly #variables = new Map<string, ListedKind>();
  readonly #directories = new Set<string>();
  readonly #loops = new Set<number>();

  constructor(tokens: readonly PythonToken[]) {
    this.#tokens = tokens;
  }

  find(): void {
    for (const [index, token] of this.#tokens.entries()) {
      if (token.kind === 'name' && token.text === 'for') this.#loop(index);
    }
  }

  listing(): PythonListing {
    const bound = [...this.#variables].filter(([name]) => !this.#isBoundElsewhere(name));
    return { variables: new Map(bound), directories: [...this.#directories] };
  }

  #text(index: number): string {
    const token = this.#tokens[index];
    return token === undefined || token.kind === 'string' ? '' : token.text;
  }

  /** Whether the tokens from `at` are these; `*` stands for a string. */
  #follows(at: number, written: string): boolean {
    return written
      .split(' ')
      .every((text, offset) =>
        text === '*' ? this.#tokens[at + offset]?.value !== undefined : this.#text(at + offset) === text,
      );
  }

  #loop(at: number): void {
    const names = this.#targets(at + 1);
    const start = at + 2 * names.length + 1;
    const isWrapped =
      /^(sorted|list|reversed|set|tuple)$/.test(this.#text(start)) && this.#text(start + 1) === '(';
    const [first, , third] = names;
    const kind = this.#kindAt(isWrapped ? start + 2 : start);
    // What follows must not add other members.
    if (isWrapped && !this.#endsExpression(this.#closing(start + 1) + 1)) return;
    if (kind === 'walk' && names.length === 3 && first && third) {
      this.#bind(at, first, 'directory');
      this.#bind(at, third, 'names');
    } else if (kind !== undefined && kind !== 'walk' && first && names.length === 1)
      this.#bind(at, first, kind);
  }

  #targets(from: number): readonly string[] {
    const names: string[] = [];
    for (let at = from; this.#tokens[at]?.kind === 'name'; at += 2) {
      names.push(this.#text(at));
      if (this.#text(at + 1) === 'in') return names;
      if (this.#text(at + 1) !== ',') break;
    }
    return [];
  }

  #bind(at: number, name: string, kind: ListedKind): void {
    const before = this.#variables.get(name);
    if (before !== undefined && before !== kind) return;
    this.#variables.set(name, kind);
    this.#loops.add(at);
  }

  /** What a loop over the expression at `at` binds. */
  #kindAt(at: number): ListedKind | 'walk' | undefined {
    for (const [written, string, kind] of sources) {
      if (!this.#follows(at, written)) continue;
      const words = written.split(' ');
      const directory = directoryOf(this.#tokens[at + string]?.value ?? '');
      const pattern = this.#tokens[at + words.length]?.value;
      if (directory === undefined || (pattern !== undefined && /^\/|\.\./.test(pattern))) return undefined;
      const open = at + words.lastIndexOf('(');
      if (!this.#endsExpression(this.#closing(open) + 1) || this.#isRebound(words[0])) return undefined;
      this.#directories.add(directory);
      return kind;
    }
    if (this.#follows(at, 'sys . argv [ 1 : ]') && this.#endsExpression(at + 7)) return 'argument';
    return this.#variables.get(this.#text(at)) === 'names' && this.#endsExpression(at + 1)
      ? 'name'
      : undefined;
  }

  /** The place of the bracket that closes the one at `open`. */
  #closing(open: number): number {
    let depth = 0;
    for (let at = open; at < this.#tokens.length; at++) {
      const text = this.#text(at);
      if (text === '(' || text === '[' || text === '{') depth += 1;
      if (text === ')' || text === ']' || text === '}') depth -= 1;
      if (depth === 0) return at;
    }
    return this.#tokens.length;
  }

  /** Whether no operator, index or method follows. */
  #endsExpression(at: number): boolean {
    return /^([:)\]},]|if|for|\n)$/.test(this.#text(at));
  }

  /** Whether a name of the library is anything else in this program. */
  #isRebound(name: string | undefined): boolean {
    return this.#tokens.some((token, index) => {
      if (token.kind !== 'name' || token.text !== name) return false;
      if (/^([-+*/%&|^]?=|:=)$/.test(this.#text(index + 1))) return true;
      return /^(as|def|lambda|global)$/.test(this.#text(index - 1)) || this.#isTarget(index);
    });
  }

  /** Whether a name gets a value anywhere but in its loops. */
  #isBoundElsewhere(name: string): boolean {
    return this.#tokens.some((token, index) => {
      if (token.kind !== 'name' || token.text !== name) return false;
      const [before, after] = [this.#text(index - 1), this.#text(index + 1)];
      if (/^([-+*/%&|^]?=|:=|\*\*=|\/\/=)$/.test(after)) return true;
      if (/^(as|lambda|def|import|global|nonlocal)$/.test(before)) return true;
      return this.#isTarget(index) && !this.#isInLoop(index);
    });
  }

  /** Whether a name stands between `for`, `lambda` or `def` and the end of what they bind. */
  #isTarget(index: number): boolean {
    for (let at = index - 1; at >= 0; at--) {
      const text = this.#text(at);
      if (/^(for|lambda|def)$/.test(text)) return true;
      if (/^(in|:|=|\n)$/.test(text) || this.#tokens[at]?.kind === 'newline') return false;
    }
    return false;
  }

  #isInLoop(index: number): boolean {
    for (let at = index - 1; at >= 0; at--)
      if (/^(for|lambda|def)$/.test(this.#text(at))) return this.#loops.has(at);
    return false;
  }
}

/** The expressions that list, the place of the directory in them, and what a loop over them binds. */
const sources: readonly (readonly [string, number, ListedKind | 'walk'])[] = [
  ['glob . glob ( *', 4, 'file'],
  ['glob . iglob ( *', 4, 'file'],
  ['glob ( *', 2, 'file'],
  ['iglob ( *', 2, 'file'],
  ['Path ( * ) . glob (', 2, 'file'],
  ['Path ( * ) . rglob (', 2, 'file'],
  ['Path ( * ) . iterdir ( )', 2, 'file'],
  ['pathlib . Path ( * ) . glob (', 4, 'file'],
  ['pathlib . Path ( * ) . rglob (', 4, 'file'],
  ['pathlib . Path ( * ) . iterdir ( )', 4, 'file'],
  ['os . walk ( *', 4, 'walk'],
  ['os . listdir ( *', 4, 'name'],
];

/** The directory before the first wildcard; undefined if the pattern can leave it. */
function directoryOf(pattern: string): string | undefined {
  if (/(^|\/)\.\.(\/|$)/.test(pattern)) return undefined;
  const wildcard = pattern.search(/[*?[]/);
  const literal = wildcard < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', wildcard) + 1);
  return literal === '' ? '.' : literal;
}
