/**
 * The expansion of a word, as far as the text alone shows it.
 *
 * Invariant: a word that only the run can expand is marked as such, and keeps its literal prefix.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import type { Calculation, Script, ShellWord, WordPart, WordPiece } from '../syntax/shell-list.ts';
import { finish } from '../syntax/word-scanner.ts';
import { scriptsOf, variablesOf, wholeNumberOf } from './calculation.ts';
import { sourceOf } from './name-source.ts';
import type { VariableScope } from './variable-scope.ts';

/** Judges a script inside a word. */
export type NestedJudge = (script: Script) => ShellBoundary | undefined;

/** Stands for unknown text: a word, and also a number. */
const placeholder = '1';

/** The name of the file of the first `<(…)` of a command, as in bash. */
const providedPath = '/dev/fd/63';

export function valuesOf(
  word: ShellWord,
  scope: VariableScope,
  judge: NestedJudge,
): readonly ShellWord[] | ShellBoundary {
  if (word.parts === undefined) return [word];
  let text = '';
  let opaque: PartValue['opaque'];
  let splits = false;
  const pattern: WordPiece[] = [];
  for (const part of word.parts) {
    const value = valueOfPart(part, word, { scope, judge });
    if (isBoundary(value)) return value;
    text += value.text;
    pattern.push(value.wildcard ?? { literal: value.text });
    splits ||= value.splits === true;
    if (opaque !== 'text') opaque = value.opaque ?? opaque;
  }
  const { parts, ...plain } = word;
  const [first] = parts;
  if (first && 'file' in first) return [{ ...plain, text: providedPath, provided: true, opaque: 'text' }];
  const whole = finish(pattern);
  if (splits && whole.pattern)
    return boundary('glob', word.at, 'a pattern stands behind a value of several words');
  const marked = { ...plain, text, ...(opaque ? { opaque } : {}) };
  if (splits) return splitWords(marked);
  return [{ ...marked, bare: false, pattern: whole.pattern }];
}

/** The contribution of one part to its word. */
interface PartValue {
  readonly text: string;
  /** Set if the text stands for one that only the run knows. */
  readonly opaque?: 'name' | 'text';
  /** Set if the shell would split it into several words. */
  readonly splits?: boolean;
  /** Set for a part of a file name pattern. */
  readonly wildcard?: WordPiece;
}

function valueOfPart(
  part: WordPart,
  { at }: ShellWord,
  { scope, judge }: { readonly scope: VariableScope; readonly judge: NestedJudge },
): PartValue | ShellBoundary {
  if ('literal' in part) return { text: part.literal };
  if ('wildcard' in part) return { text: part.wildcard, wildcard: part };
  if ('bracket' in part) return { text: part.bracket, wildcard: part };
  if ('substitution' in part) {
    return judge(part.substitution) ?? { text: placeholder, opaque: sourceOf(part.substitution) };
  }
  if ('file' in part) return judge(part.file) ?? { text: providedPath };
  if ('calculation' in part) return valueOfCalculation(part.calculation, at, { scope, judge });
  const value = scope.get(part.parameter);
  if (value === undefined) {
    return boundary('expansion', at, `the text does not say what ${part.parameter.name} is`);
  }
  if ('text' in value) return { text: value.text, splits: !part.quoted && /[\s*?[]/.test(value.text) };
  return { text: value.prefix + placeholder, opaque: value.opaque };
}

/** A number: its text is known only to the run, but it is neither a path nor a pattern. */
function valueOfCalculation(
  calculation: Calculation,
  at: number,
  { scope, judge }: { readonly scope: VariableScope; readonly judge: NestedJudge },
): PartValue | ShellBoundary {
  for (const script of scriptsOf(calculation)) {
    const refused = judge(script);
    if (refused) return refused;
  }
  for (const name of variablesOf(calculation)) {
    const value = scope.get({ name, change: { kind: 'none' } });
    // Bash would evaluate any other text as arithmetic, in which a subscript can run a command.
    const isNumber = value !== undefined && (!('text' in value) || wholeNumberOf(value.text) !== undefined);
    if (!isNumber || !scope.isSet(name))
      return boundary('expansion', at, `${name} is not known to be a number`);
  }
  return { text: placeholder, opaque: 'name' };
}

/** An unquoted known value is split at blanks; a pattern in it would be expanded. */
function splitWords(word: ShellWord): readonly ShellWord[] | ShellBoundary {
  if (/[*?[]/.test(word.text)) return boundary('glob', word.at, 'a variable holds a pattern');
  return word.text
    .split(/\s+/)
    .filter(Boolean)
    .map((text) => ({ ...word, text, bare: false }));
}
