/**
 * Translates ripgrep's regular expressions into JavaScript's.
 *
 * Invariant: a pattern valid in both matches the same text. Classes such as `\w` are Unicode classes; ASCII texts are
 * searched with the plain ones, which are faster and equivalent there.
 */
import { messageOf } from '../../base/failure.ts';
import { BadCall } from '../failure.ts';

export interface PatternOptions {
  readonly ignoreCase: boolean;
}

/** One pattern in the two forms a search needs. */
export interface SearchExpressions {
  /** Matches within one line that is passed alone. */
  readonly line: RegExp;
  /** Matches within a whole text. For every line that matches alone, a match begins in that line here too. */
  readonly text: RegExp;
}

export class SearchPattern {
  /**
   * Whether a match depends only on its own line. Lookaround crosses line ends, so with it every line is matched
   * alone.
   */
  readonly isLocal: boolean;
  readonly #source: string;
  readonly #flags: string;
  readonly #ascii: SearchExpressions;
  #unicode: SearchExpressions | undefined;

  constructor(pattern: string, { ignoreCase }: PatternOptions) {
    const { source, flags } = withoutLeadingFlags(pattern);
    this.#source = source;
    this.#flags = ignoreCase || flags.includes('i') ? 'sui' : 'su';
    this.isLocal = !/\(\?<?[=!]|\\[Az]/.test(source);
    this.#ascii = this.#compiled('ascii');
  }

  /** The expressions to search a text with. */
  for(text: string): SearchExpressions {
    if (!notAscii.test(text)) return this.#ascii;
    this.#unicode ??= this.#compiled('unicode');
    return this.#unicode;
  }

  #compiled(alphabet: Alphabet): SearchExpressions {
    const source = translated(this.#source, alphabet);
    return {
      line: compiled(source, this.#flags, this.#source),
      text: compiled(source, `gm${this.#flags}`, this.#source),
    };
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is what ASCII is
const notAscii = /[^\x00-\x7f]/;

function compiled(source: string, flags: string, pattern: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (thrown) {
    const reason = messageOf(thrown).replace(/^Invalid regular expression: .*: /, '');
    throw new BadCall(
      `the pattern ${JSON.stringify(pattern)} is not a regular expression: ${reason}`,
      'Correct it; escape literal characters with a backslash.',
    );
  }
}

function withoutLeadingFlags(pattern: string): { readonly source: string; readonly flags: string } {
  const [whole = '', flags = ''] = /^\(\?([imsu]+)\)/.exec(pattern) ?? [];
  return { source: pattern.slice(whole.length), flags };
}

type Alphabet = 'ascii' | 'unicode';

const wordMembers = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';

const posixClasses: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};

/** Escapes, classes, named groups, counts, then any other character. */
const pieces =
  /\\x\{([0-9A-Fa-f]+)\}|\\([pP](?:\{[^}]*\}|.)|u\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|k<[^>]*>|c[A-Za-z]|.)|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\(\?P<|\{\d*(?:,\d*)?\}|[\s\S]/gu;

function translated(source: string, alphabet: Alphabet): string {
  return source.replace(pieces, (piece, codePoint?: string, sign?: string) => {
    if (codePoint !== undefined) return `\\u{${codePoint}}`;
    if (sign !== undefined) return escaped(sign, alphabet);
    if (piece === '(?P<') return '(?<';
    if (piece.length > 1 && piece.startsWith('[')) return classOf(piece, alphabet);
    if (/^\{\d+(,\d*)?\}$/.test(piece)) return piece;
    // Unbalanced braces and brackets are literal characters.
    return /^[{}\]]/.test(piece) ? piece.replace(/[{}\]]/g, '\\$&') : piece;
  });
}

function escaped(sign: string, alphabet: Alphabet): string {
  switch (sign) {
    case 'A':
      return '(?<![\\s\\S])';
    case 'z':
      return '(?![\\s\\S])';
    case 'a':
      return '\\x07';
    case '<':
      return alphabet === 'ascii' ? '\\b(?=\\w)' : `(?<![${wordMembers}])(?=[${wordMembers}])`;
    case '>':
      return alphabet === 'ascii' ? '\\b(?<=\\w)' : `(?<=[${wordMembers}])(?![${wordMembers}])`;
    default:
      return alphabet === 'unicode' && sign in unicodeEscapes
        ? (unicodeEscapes[sign] ?? '')
        : plainEscape(sign);
  }
}

const unicodeEscapes: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: `[${wordMembers}]`,
  W: `[^${wordMembers}]`,
  b: `(?:(?<=[${wordMembers}])(?![${wordMembers}])|(?<![${wordMembers}])(?=[${wordMembers}]))`,
  B: `(?:(?<=[${wordMembers}])(?=[${wordMembers}])|(?<![${wordMembers}])(?![${wordMembers}]))`,
};

/** ripgrep allows escaping any punctuation; JavaScript's `u` mode only syntax characters. */
function plainEscape(sign: string): string {
  if (/^[\w]/.test(sign)) return `\\${sign}`.replace(/^\\([pP])(?!\{)(.)$/, '\\$1{$2}');
  return literalOf(sign);
}

function literalOf(character: string): string {
  return /^[\\^$.*+?()[\]{}|/]$/.test(character) ? `\\${character}` : character;
}

function classOf(text: string, alphabet: Alphabet): string {
  const [, negation = '', members = ''] = /^\[(\^?)([\s\S]*)\]$/u.exec(text) ?? [];
  const inner = members.replace(
    /\[:(\^?)(\w+):\]|\\x\{([0-9A-Fa-f]+)\}|\\([pP](?:\{[^}]*\}|.)|u\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|.)|[\s\S]/gu,
    (piece: string, not?: string, posix?: string, codePoint?: string, sign?: string) =>
      memberOf({ piece, not, posix, codePoint, sign }, alphabet),
  );
  return `[${negation}${inner}]`;
}

/** One member of a character class in ripgrep's syntax, with its parts. */
interface ClassMember {
  readonly piece: string;
  readonly not: string | undefined;
  readonly posix: string | undefined;
  readonly codePoint: string | undefined;
  readonly sign: string | undefined;
}

function memberOf({ piece, not, posix, codePoint, sign }: ClassMember, alphabet: Alphabet): string {
  if (posix !== undefined && not === '') return posixClasses[posix] ?? piece;
  if (codePoint !== undefined) return `\\u{${codePoint}}`;
  if (sign === undefined) return /^[[\]]$/.test(piece) ? `\\${piece}` : piece;
  if (alphabet === 'unicode' && sign === 'w') return wordMembers;
  if (alphabet === 'unicode' && sign === 'd') return '\\p{Nd}';
  return sign === '-' ? '\\-' : plainEscape(sign);
}
