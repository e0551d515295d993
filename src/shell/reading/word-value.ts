/**
 * The expansion of a word, as far as the text alone shows it.
 *
 * Invariant: a word that only the run can expand is marked as such, and keeps its literal prefix.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import type { Script, ShellWord, WordPart } from '../syntax/shell-list.ts';
import type { VariableScope } from './variable-scope.ts';

/** Judges a script inside a word. */
export type NestedJudge = (script: Script) => ShellBoundary | undefined;

/** Stands for unknown text: a word, and also a number. */
const placeholder = '1';

export function valuesOf(
  word: ShellWord,
  scope: VariableScope,
  judge: NestedJudge,
): readonly ShellWord[] | ShellBoundary {
  if (word.parts === undefined) return [word];
  let text = '';
  let opaque: PartValue['opaque'];
  let splits = false;
  for (const part of word.parts) {
    const value = valueOfPart(part, word, { scope, judge });
    if (isBoundary(value)) return value;
    text += value.text;
    splits ||= value.splits === true;
    if (opaque !== 'text') opaque = value.opaque ?? opaque;
  }
  const { parts, ...plain } = word;
  if (splits) return splitWords({ ...plain, text, ...(opaque ? { opaque } : {}) });
  return [{ ...plain, text, bare: false, ...(opaque ? { opaque } : {}) }];
}

/** The contribution of one part to its word. */
interface PartValue {
  readonly text: string;
  /** Set if the text stands for one that only the run knows. */
  readonly opaque?: 'name' | 'text';
  /** Set if the shell would split it into several words. */
  readonly splits?: boolean;
}

function valueOfPart(
  part: WordPart,
  { at }: ShellWord,
  { scope, judge }: { readonly scope: VariableScope; readonly judge: NestedJudge },
): PartValue | ShellBoundary {
  if ('literal' in part) return { text: part.literal };
  if ('wildcard' in part || 'bracket' in part) {
    return boundary('glob', at, 'a pattern and an expansion stand in one word');
  }
  if ('substitution' in part) {
    return judge(part.substitution) ?? { text: placeholder, opaque: sourceOf(part.substitution) };
  }
  const value = scope.get(part.parameter);
  if (value === undefined) {
    return boundary('expansion', at, `the text does not say what ${part.parameter.name} is`);
  }
  if ('text' in value) return { text: value.text, splits: !part.quoted && /[\s*?[]/.test(value.text) };
  return { text: value.prefix + placeholder, opaque: value.opaque };
}

/** An unquoted known value is split at blanks; a pattern in it would be expanded. */
function splitWords(word: ShellWord): readonly ShellWord[] | ShellBoundary {
  if (/[*?[]/.test(word.text)) return boundary('glob', word.at, 'a variable holds a pattern');
  return word.text
    .split(/\s+/)
    .filter(Boolean)
    .map((text) => ({ ...word, text, bare: false }));
}

/** Whether a script lists existing names, or computes arbitrary text. */
export function sourceOf(script: Script): 'name' | 'text' {
  const [first] = script[0]?.pipeline ?? [];
  const isListing = script.length === 1 && first?.kind === 'simple' && listing.has(first.argv[0]?.text ?? '');
  return isListing && !isBoundary(first) ? 'name' : 'text';
}

/** Commands that print names of existing files, directories and revisions. */
const listing: ReadonlySet<string> = new Set(
  'git find fd fdfind rg grep egrep ls which command pwd dirname basename realpath readlink comm wc date nproc seq'.split(
    ' ',
  ),
);
