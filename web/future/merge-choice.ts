/** Which side is taken at each place of a merge, and the text that follows. */
import type { MergedPlace } from '../../src/text/three-way.ts';

export type Choice = 'disk' | 'mine' | 'both';

/** A place that differs, with its number from 1. */
export type OpenPlace = Exclude<MergedPlace, { readonly kind: 'same' }>;

/** Places that only one side changed are chosen already. */
export function firstChoices(places: readonly MergedPlace[]): readonly (Choice | undefined)[] {
  return places.map(({ kind }) => (kind === 'disk' || kind === 'mine' ? kind : undefined));
}

/** Undefined while a place is not chosen. */
export function chosenText(
  places: readonly MergedPlace[],
  choices: readonly (Choice | undefined)[],
): string | undefined {
  const parts = places.map((place, index) => {
    if (place.kind === 'same') return place.text;
    const choice = choices[index];
    if (choice === undefined) return undefined;
    return choice === 'both' ? place.disk + place.mine : place[choice];
  });
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
}

/** The text to go on with by hand: what is chosen, and both sides where nothing is. */
export function draftText(places: readonly MergedPlace[], choices: readonly (Choice | undefined)[]): string {
  const all = choices.map((choice, index) => (places[index]?.kind === 'same' ? choice : (choice ?? 'both')));
  return chosenText(places, all) ?? '';
}

/** The sides of which something is not in the merged text. */
export function leftSides(
  places: readonly MergedPlace[],
  choices: readonly (Choice | undefined)[],
): readonly ('disk' | 'mine')[] {
  const isLost = (side: 'disk' | 'mine'): boolean =>
    places.some((place, index) => {
      if (place.kind === 'same') return false;
      const hasChanged = place.kind === 'both' || place.kind === side;
      return hasChanged && choices[index] !== side && choices[index] !== 'both';
    });
  return (['disk', 'mine'] as const).filter(isLost);
}
