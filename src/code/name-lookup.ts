/**
 * Another way to what a place means, where the server knows the name but cannot follow it from there: by the
 * name itself, at each place in the workspace that declares it.
 *
 * Invariant: an answer found this way comes with the name and the place it was found at, so that nobody
 * takes it for an answer about the place that was asked.
 */
import { hoverText } from '../lsp/feature/hover.ts';
import { LineIndex } from '../text/line-index.ts';
import { comparePositions } from '../text/position.ts';
import type { Range } from '../text/range.ts';
import { type Place, positionOn, type Query, shownText } from './query.ts';
import { workspaceSymbols } from './symbol.ts';
import { bareName, identifierAt, nameRange } from './symbol-name.ts';

export interface FoundByName<T> {
  readonly answer: readonly T[];
  readonly name: string;
  /** Where the name is declared that the answer is about. */
  readonly place: Place;
}

/** A common name is declared in more places than anybody wants tried. */
const maximumTried = 10;

/** Asks at every declaration of the name at `place`; the first that has an answer gives it. */
export async function askByName<T>(
  query: Query,
  place: Place,
  ask: (declaration: Place) => Promise<readonly T[]>,
  signal: AbortSignal,
): Promise<FoundByName<T> | undefined> {
  const hover = await hoverText(query.lease.server, positionOn(query, place), signal);
  const name = nameIn(hover, wordAt(query, place));
  if (name === undefined) return undefined;
  const symbols = await workspaceSymbols(query, name, signal);
  const named = symbols.filter((symbol) => bareName(symbol.name) === name).slice(0, maximumTried);
  for (const { location } of named) {
    const { path, range } = location;
    if (path === undefined) continue;
    await query.lease.open([path]);
    const text = shownText(query, path);
    const { start } = text === undefined ? range : declaredName(text, name, range);
    if (path === place.path && comparePositions(start, place.position) === 0) continue;
    const declaration = { path, position: start };
    const answer = await ask(declaration);
    if (answer.length > 0) return { answer, name, place: declaration };
  }
  return undefined;
}

/**
 * The name a hover is about: the word in the text, if the hover speaks of it, or else the first identifier
 * that is no word of the language.
 */
export function nameIn(hover: string, word: string | undefined): string | undefined {
  const reported = hover
    .split('\n')
    .filter((line) => !line.startsWith('```'))
    .join('\n');
  const names: readonly string[] = reported.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  if (word !== undefined && names.includes(word)) return word;
  return names.find((name) => !languageWords.has(name));
}

/** Words that hovers put in front of a name. */
const languageWords = new Set(
  [
    'abstract alias async class const constructor data declare def default enum enumerator export extern field',
    'fn final func function get getter global impl import in instance interface internal let local macro method',
    'mod module mut namespace package param parameter private property protected pub public readonly record',
    'set setter static struct trait type typedef union unsafe use val var variable virtual void',
  ].flatMap((line) => line.split(' ')),
);

function declaredName(text: string, name: string, range: Range): Range {
  return nameRange(new LineIndex(text), { name, range, selectionRange: range });
}

/** The identifier at a place, in the text the server was shown. */
function wordAt(query: Query, { path, position }: Place): string | undefined {
  const text = shownText(query, path);
  return text === undefined ? undefined : identifierAt(new LineIndex(text), position);
}
