/**
 * A fallback for a position that the server cannot resolve: asks by name, at each declaration of that name in the
 * workspace.
 *
 * Invariant: an answer found this way carries the name and the position it is about, so that it is not read as an
 * answer about the original position.
 */
import { hoverText } from '../lsp/feature/hover.ts';
import { comparePositions, LineIndex, type Range } from '../text/position.ts';
import { type Place, positionOn, type Query, shownText } from './query.ts';
import { workspaceSymbols } from './symbol.ts';
import { bareName, identifierAt, nameRange } from './symbol-name.ts';

export interface FoundByName<T> {
  readonly answer: readonly T[];
  readonly name: string;
  /** The declaration that the answer is about. */
  readonly place: Place;
}

/** A common name has more declarations than are worth trying. */
const maximumTried = 10;

/** Asks at every declaration of the name at `place`; the first answer is returned. */
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
 * The name that a hover text describes: the word in the text if the hover mentions it, else the first identifier that
 * is not a keyword.
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

/** Words that hover texts put before a name. */
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

/** The identifier at a position, in the text shown to the server. */
function wordAt(query: Query, { path, position }: Place): string | undefined {
  const text = shownText(query, path);
  return text === undefined ? undefined : identifierAt(new LineIndex(text), position);
}
