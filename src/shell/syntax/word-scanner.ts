/**
 * Scans one word: plain characters, quotes, escapes, wildcards, braces and expansions.
 *
 * Invariant: the parts of a word equal bash's reading of it, and nothing in it is left for bash to expand.
 */
import { type BoundaryRule, boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { scanExpansion } from './expansion-scanner.ts';
import { type NestedScripts, type Scanned, sticky } from './scanned.ts';
import type { ShellWord, WordPart, WordPiece } from './shell-list.ts';

/** The words at `at`, up to the next blank or operator: several if braces are expanded. */
export function scanWords(
  text: string,
  at: number,
  nested: NestedScripts,
): Scanned<readonly ShellWord[]> | ShellBoundary {
  const run = scanRun(text, at, { nested, wordStart: at, ends: (index) => isWordEnd(text[index]) });
  if (isBoundary(run)) return run;
  const { bare, respelled } = run;
  const words = run.alternatives.map((parts) => ({
    at,
    bare,
    ...(bare ? {} : { head: sticky(plain, text, at)?.length ?? 0 }),
    ...finish(parts),
    ...(respelled || run.alternatives.length > 1 ? { respelled: true as const } : {}),
  }));
  return { value: words, end: run.end };
}

/** Whether a word ends before this character. */
export function isWordEnd(character: string | undefined): boolean {
  return character === undefined || ' \t\n|&;<>()'.includes(character);
}

interface Run {
  /** The parts of each word that the braces expand to. */
  readonly alternatives: readonly (readonly WordPart[])[];
  readonly end: number;
  readonly bare: boolean;
  readonly respelled: boolean;
}

interface RunRequest {
  readonly nested: NestedScripts;
  readonly wordStart: number;
  readonly ends: (index: number) => boolean;
}

function scanRun(text: string, at: number, request: RunRequest): Run | ShellBoundary {
  let alternatives: readonly (readonly WordPart[])[] = [[]];
  let [bare, respelled, end] = [true, false, at];
  while (end < text.length && !request.ends(end)) {
    const braces = scanBraces(text, end, request);
    if (isBoundary(braces)) return braces;
    const part = braces ?? scanPart(text, end, request);
    if (isBoundary(part)) return part;
    const more = 'alternatives' in part ? part.alternatives : [part.parts];
    alternatives = alternatives.flatMap((first) => more.map((second) => [...first, ...second]));
    if (alternatives.length > maxAlternatives)
      return boundary('brace', at, 'braces stand for too many words');
    bare &&= part.bare;
    respelled ||= part.respelled;
    end = part.end;
  }
  return { alternatives, end, bare, respelled };
}

const maxAlternatives = 200;

/** `{a,b}` and `{1..5}`; undefined if a brace is literal or there is none here. */
function scanBraces(text: string, at: number, request: RunRequest): Run | ShellBoundary | undefined {
  if (text[at] !== '{' || literalHere(text, at, request.wordStart) > 0) return undefined;
  const sequence = scanSequence(text, at);
  if (sequence) return sequence;
  const alternatives: (readonly WordPart[])[] = [];
  let [bare, end] = [true, at];
  do {
    const ends = (index: number): boolean =>
      text[index] === ',' || text[index] === '}' || isWordEnd(text[index]);
    const option = scanRun(text, end + 1, { ...request, ends });
    if (isBoundary(option)) return option;
    alternatives.push(...option.alternatives);
    bare &&= option.bare;
    end = option.end;
  } while (text[end] === ',');
  if (text[end] !== '}' || alternatives.length < 2) {
    return boundary('brace', at, 'the braces are not read; quote them or write the words out');
  }
  return { alternatives, end: end + 1, bare, respelled: true };
}

/** `{1..9}`, `{01..10..2}` and `{a..e}`. */
function scanSequence(text: string, at: number): Run | undefined {
  const written = sticky(
    /\{(?:\d{1,4}\.\.\d{1,4}|[a-z]\.\.[a-z]|[A-Z]\.\.[A-Z])(?:\.\.\d{1,3})?\}/y,
    text,
    at,
  );
  if (written === undefined) return undefined;
  const [first = '', last = '', step = '1'] = written.slice(1, -1).split('..');
  const isNumbers = /^\d/.test(first);
  const codeOf = (end: string): number => (isNumbers ? Number(end) : end.charCodeAt(0));
  // A leading zero at either end pads every number to the longer of the two.
  const width = /^0\d/.test(first) || /^0\d/.test(last) ? Math.max(first.length, last.length) : 0;
  const alternatives = counted(codeOf(first), codeOf(last), Math.max(1, Number(step))).map((code) => {
    const literal = isNumbers ? String(code).padStart(width, '0') : String.fromCharCode(code);
    return [{ literal }];
  });
  return { alternatives, end: at + written.length, bare: true, respelled: true };
}

function counted(first: number, last: number, step: number): readonly number[] {
  const count = Math.min(Math.floor(Math.abs(last - first) / step) + 1, maxAlternatives + 1);
  return Array.from({ length: count }, (_, index) => first + index * step * (first <= last ? 1 : -1));
}

interface Part {
  readonly parts: readonly WordPart[];
  readonly end: number;
  readonly bare: boolean;
  readonly respelled: boolean;
}

function scanPart(text: string, at: number, { nested, wordStart, ends }: RunRequest): Part | ShellBoundary {
  const character = text[at] ?? '';
  if (character === "'") return scanSingleQuotes(text, at);
  if (character === '"') return scanDoubleQuotes(text, at, nested);
  if (character === '\\') return scanEscape(text, at);
  if (character === '$' || character === '`') return scanDollar(text, at, nested);
  if (character === '*' || character === '?') return partOf({ wildcard: character }, at + 1);
  const bracket = sticky(/\[[!^]?\]?[^\]\s'"\\$`/|&;<>()]+\]/y, text, at);
  if (bracket !== undefined) return partOf({ bracket }, at + bracket.length);
  const end = plainEnd(text, at, wordStart, ends);
  if (end > at) return partOf({ literal: text.slice(at, end) }, end);
  const [rule, why] = refusedCharacters[character] ?? ['operator', `${character} is not read outside quotes`];
  return boundary(rule, at, why);
}

function partOf(piece: WordPiece, end: number): Part {
  return { parts: [piece], end, bare: true, respelled: false };
}

/** The end of the plain characters from `at`; `at` itself if there are none. */
function plainEnd(text: string, at: number, wordStart: number, ends: (index: number) => boolean): number {
  const run = sticky(plain, text, at)?.length ?? 0;
  if (run === 0) return at + literalHere(text, at, wordStart);
  for (let index = at; index < at + run; index++) if (ends(index)) return index;
  return at + run;
}

const plain = /(?:[A-Za-z0-9_\-./:,=+@%^\]]|[^\0-\x7f])+/uy;

/** The length of a character that is special elsewhere but literal at this position; 0 if it is not. */
function literalHere(text: string, at: number, wordStart: number): number {
  const after = text[at + 1];
  const isStart = at === wordStart;
  switch (text[at]) {
    // A comment starts only at the beginning of a word.
    case '#':
      return isStart ? 0 : 1;
    case '[':
      return bracketLength(text, at, wordStart);
    // Negation in find and test. History expansion does not apply to these two.
    case '!':
      return isStart && (isWordEnd(after) || after === '=') ? 1 : 0;
    // Revisions: HEAD~1, main~~. A home directory starts a word, or follows a colon or an equals sign.
    case '~':
      return !isStart && /[A-Za-z0-9^~@]/.test(text[at - 1] ?? '') ? 1 : 0;
    case '{':
    case '}':
      return braceLength(text, at, wordStart);
    default:
      return 0;
  }
}

/** The braces of find, xargs and groups, and of revisions. */
function braceLength(text: string, at: number, wordStart: number): number {
  const [before, character, after] = [text[at - 1], text[at], text[at + 1]];
  if (character === '{' && after === '}') return 2;
  if (at === wordStart) return isWordEnd(after) ? 1 : 0;
  // Revisions: stash@{0}, @{upstream}, HEAD^{tree}. Braces expand only around a comma or two dots.
  if (character !== '{' || (before !== '@' && before !== '^')) return 0;
  return /^\{-?[A-Za-z0-9]+(?:[.:-][A-Za-z0-9]+)*\}/.exec(text.slice(at, at + 64))?.[0].length ?? 0;
}

/** The test command; as a pattern it would need its closing bracket. */
function bracketLength(text: string, at: number, wordStart: number): number {
  if (at !== wordStart) return 0;
  if (isWordEnd(text[at + 1])) return 1;
  return text[at + 1] === '[' && isWordEnd(text[at + 2]) ? 2 : 0;
}

function scanSingleQuotes(text: string, at: number): Part | ShellBoundary {
  const close = text.indexOf("'", at + 1);
  if (close < 0) return boundary('unfinished', at, 'a single quote is not closed');
  return { parts: [{ literal: text.slice(at + 1, close) }], end: close + 1, bare: false, respelled: false };
}

function scanDoubleQuotes(text: string, at: number, nested: NestedScripts): Part | ShellBoundary {
  const parts: WordPart[] = [{ literal: '' }];
  let respelled = false;
  const add = (literal: string): void => void parts.push({ literal });
  for (let index = at + 1; index < text.length; index++) {
    const [character = '', after = ''] = [text[index], text[index + 1]];
    if (character === '"') return { parts, end: index + 1, bare: false, respelled };
    if (character === '\\' && after === '\n') {
      return boundary('operator', index, 'a line end is escaped inside double quotes');
    }
    if (character === '\\' && isEscapable(after)) {
      add(after);
      index++;
    } else if (startsExpansion(character, after)) {
      const expansion = scanExpansion(text, index, { nested, quoted: true });
      if (isBoundary(expansion)) return expansion;
      parts.push(expansion.value);
      respelled ||= isComputed(expansion.value);
      index = expansion.end - 1;
    } else {
      add(character);
    }
  }
  return boundary('unfinished', at, 'a double quote is not closed');
}

/** The characters that a backslash escapes inside double quotes. */
function isEscapable(character: string): boolean {
  return character !== '' && '"\\$`'.includes(character);
}

function startsExpansion(character: string, after: string): boolean {
  return character === '`' || (character === '$' && !isLiteralDollar(after));
}

/** A dollar at the end of a regular expression: nothing that can follow it here names a parameter. */
function isLiteralDollar(after: string): boolean {
  return after !== '' && '"|) /\\.,:'.includes(after);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\', "'": "'", '"': '"' };

/** `$'…'` with the simplest of its escapes, or an expansion. */
function scanDollar(text: string, at: number, nested: NestedScripts): Part | ShellBoundary {
  const quoted = sticky(/\$'(?:[^'\\]|\\[nt\\'"])*'/y, text, at);
  if (quoted !== undefined) {
    const literal = quoted.slice(2, -1).replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter);
    return { parts: [{ literal }], end: at + quoted.length, bare: false, respelled: true };
  }
  const expansion = scanExpansion(text, at, { nested, quoted: false });
  if (isBoundary(expansion)) return expansion;
  const respelled = isComputed(expansion.value);
  return { parts: [expansion.value], end: expansion.end, bare: false, respelled };
}

/** Whether an expansion is already the result of arithmetic. */
function isComputed(part: WordPart): boolean {
  return 'literal' in part && part.literal !== '$';
}

function scanEscape(text: string, at: number): Part | ShellBoundary {
  const escaped = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  if (at + 1 >= text.length) return boundary('unfinished', at, 'the text ends in a backslash');
  if (escaped === '\n') return boundary('operator', at, 'a line end is escaped inside a word');
  return { parts: [{ literal: escaped }], end: at + 1 + escaped.length, bare: false, respelled: false };
}

const refusedCharacters: Readonly<Record<string, readonly [BoundaryRule, string]>> = {
  '~': ['tilde', 'a home directory would be expanded; write the path'],
  '{': ['brace', 'the braces are not read; quote them or write the words out'],
  '}': ['brace', 'the braces are not read; quote them or write the words out'],
  '[': ['glob', 'the brackets are no pattern that is read; quote them'],
  '!': ['history', 'an exclamation mark stands outside quotes'],
};

/** A word of these parts; adjacent literals are joined, so that equal words have equal parts. */
export function finish(parts: readonly WordPart[]): Pick<ShellWord, 'text' | 'pattern' | 'parts'> {
  const joined: WordPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if ('literal' in part && last && 'literal' in last) {
      joined[joined.length - 1] = { literal: last.literal + part.literal };
    } else joined.push(part);
  }
  const pieces = joined.filter(isPiece);
  const text = pieces.map(written).join('');
  if (pieces.length < joined.length) return { text, pattern: undefined, parts: joined };
  return { text, pattern: pieces.some((piece) => !('literal' in piece)) ? pieces : undefined };
}

function isPiece(part: WordPart): part is WordPiece {
  return !('quoted' in part);
}

function written(piece: WordPiece): string {
  return 'literal' in piece ? piece.literal : 'wildcard' in piece ? piece.wildcard : piece.bracket;
}
