/**
 * Expands words while a script runs.
 *
 * Invariant: the result of an expansion is never a pattern and never an option.
 */
import { hostname } from 'node:os';
import { boundary, isBoundary, type ShellBoundary } from '../../shell/boundary.ts';
import { calculate, numberOf, scriptsOf } from '../../shell/reading/calculation.ts';
import { changeValue } from '../../shell/reading/parameter-value.ts';
import { harmlessVariables } from '../../shell/reading/variable-scope.ts';
import type {
  Calculation,
  Expansion,
  Script,
  ShellWord,
  WordPart,
  WordPiece,
} from '../../shell/syntax/shell-list.ts';
import { finish } from '../../shell/syntax/word-scanner.ts';
import type { CommandWorld } from './command-world.ts';
import { expandWord } from './file-pattern.ts';

export interface WordPlace {
  readonly world: CommandWorld;
  readonly cwd: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly code: number | undefined;
  /** The output of a command substitution. */
  readonly capture: (script: Script) => Promise<string | ShellBoundary>;
  /** The name of a file with the output of a script. */
  readonly provide: (script: Script, at: number) => Promise<string | ShellBoundary>;
}

export async function runWords(
  words: readonly ShellWord[],
  place: WordPlace,
): Promise<readonly ShellWord[] | ShellBoundary> {
  const made: ShellWord[] = [];
  for (const word of words) {
    const values = (await provided(word, place)) ?? (word.parts ? await fill(word, place) : [word]);
    if (isBoundary(values)) return values;
    for (const value of values) {
      const names = await expandWord(value, { view: place.world.view, cwd: place.cwd });
      if (isBoundary(names)) return names;
      made.push(...names);
    }
  }
  return made;
}

/** The text of a word that is neither split nor a pattern. */
export async function runText(word: ShellWord, place: WordPlace): Promise<string | ShellBoundary> {
  if (!word.parts) return word.text;
  const whole = word.parts.map((part) => ('quoted' in part ? { ...part, quoted: true } : part));
  const values = await fill({ ...word, parts: whole }, { ...place });
  if (isBoundary(values)) return values;
  return values[0]?.text ?? '';
}

async function fill(word: ShellWord, place: WordPlace): Promise<readonly ShellWord[] | ShellBoundary> {
  const { parts = [], ...plain } = word;
  if (parts.some(isWildcard)) return fillPattern(word, place);
  const fields = [''];
  let isWord = false;
  for (const part of parts) {
    const text = await textOfPart(part, word, place);
    if (isBoundary(text)) return text;
    const isSplit = 'quoted' in part && !part.quoted;
    const [first = '', ...rest] = isSplit ? text.split(/[ \t\n]+/) : [text];
    fields[fields.length - 1] += first;
    fields.push(...rest);
    isWord ||= !isSplit;
  }
  const texts = isWord && fields.length === 1 ? fields : fields.filter((field) => field !== '');
  const [start] = parts;
  const isNamed = start && 'literal' in start && start.literal !== '';
  const option = isNamed ? undefined : texts.find((text) => text.startsWith('-'));
  if (option !== undefined) return boundary('option', word.at, `an expansion became the option ${option}`);
  return texts.map((text) => ({ ...plain, text, pattern: undefined, bare: false }));
}

/** The word for a file that holds the output of a script; undefined if the word is another one. */
async function provided(
  { parts, ...plain }: ShellWord,
  place: WordPlace,
): Promise<readonly ShellWord[] | ShellBoundary | undefined> {
  const [first] = parts ?? [];
  if (!first || !('file' in first)) return undefined;
  const text = await place.provide(first.file, plain.at);
  return isBoundary(text) ? text : [{ ...plain, text, pattern: undefined, provided: true }];
}

/** A pattern in which expansions stand: their values are literal, and none of them may be split. */
async function fillPattern(word: ShellWord, place: WordPlace): Promise<readonly ShellWord[] | ShellBoundary> {
  const { parts = [], ...plain } = word;
  const pattern: WordPiece[] = [];
  for (const part of parts) {
    if (isWildcard(part)) {
      pattern.push(part);
      continue;
    }
    const literal = await textOfPart(part, word, place);
    if (isBoundary(literal)) return literal;
    if ('quoted' in part && !part.quoted && /\s/.test(literal))
      return boundary('glob', word.at, 'a pattern stands behind a value of several words');
    pattern.push({ literal });
  }
  const whole = finish(pattern);
  if (whole.text.startsWith('-'))
    return boundary('option', word.at, `an expansion became the option ${whole.text}`);
  return [{ ...plain, text: whole.text, pattern: whole.pattern, bare: false }];
}

function isWildcard(part: WordPart): part is Exclude<WordPiece, { readonly literal: string }> {
  return 'wildcard' in part || 'bracket' in part;
}

/** The value of a part of a word: a literal, or an expansion, which must not contain a pattern unless quoted. */
async function textOfPart(
  part: WordPart,
  { at }: ShellWord,
  place: WordPlace,
): Promise<string | ShellBoundary> {
  if ('literal' in part) return part.literal;
  if (!('quoted' in part)) return boundary('glob', at, 'one word contains a pattern and an expansion');
  const value = await filledIn(part, place);
  if (value === undefined) return boundary('expansion', at, 'a variable has no value, or is no number');
  if (isBoundary(value) || part.quoted || !/[*?[]/.test(value)) return value;
  return boundary('glob', at, 'an expansion contains a pattern; quote it');
}

async function filledIn(part: Expansion, place: WordPlace): Promise<string | ShellBoundary | undefined> {
  if ('substitution' in part) return place.capture(part.substitution);
  if ('file' in part) return undefined;
  if ('calculation' in part) return runCalculation(part.calculation, place);
  const { name, change } = part.parameter;
  const value = variableOf(name, place);
  return value === undefined ? undefined : changeValue(value, change);
}

function variableOf(name: string, { world, cwd, variables, code }: WordPlace): string | undefined {
  return (
    variables.get(name) ??
    (name === 'PWD' ? cwd : name === '?' ? String(code ?? 1) : undefined) ??
    (harmlessVariables.has(name) ? (world.env[name] ?? ownValue(name)) : undefined)
  );
}

/** The value that bash gives a variable that the caller does not set. */
function ownValue(name: string): string {
  return name === 'HOSTNAME' ? hostname() : '';
}

/** The scripts of a calculation run first, in their order. */
async function runCalculation(
  calculation: Calculation,
  place: WordPlace,
): Promise<string | ShellBoundary | undefined> {
  const outputs = new Map<Script, string>();
  for (const script of scriptsOf(calculation)) {
    const output = await place.capture(script);
    if (isBoundary(output)) return output;
    outputs.set(script, output);
  }
  const result = calculate(calculation, {
    valueOf: (name) => numberOf(variableOf(name, place) ?? 'unset'),
    outputOf: (script) => numberOf(outputs.get(script) ?? 'unset'),
  });
  return result === undefined ? undefined : String(result);
}
