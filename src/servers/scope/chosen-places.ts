/**
 * The scope of a server that was given places to look into when it was started.
 *
 * Such a server judges any open file alike, wherever it lies; only a search over the whole workspace ends where
 * the places end.
 *
 * Invariant: once the server was to search everything, what it cannot search is counted.
 */

import type { Survey } from '../../graph/reach/reach-graph.ts';
import { isBelow, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { LoadScope } from './load-scope.ts';

export class ChosenPlaces implements LoadScope {
  readonly #survey: () => Promise<Survey>;
  readonly #places: readonly WorkspacePath[];
  #leftOut = 0;

  constructor(survey: () => Promise<Survey>, places: readonly WorkspacePath[]) {
    this.#survey = survey;
    this.#places = places;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  async include(): Promise<void> {}

  async includeEverything(): Promise<void> {
    const { files } = await this.#survey();
    const isInside = (path: WorkspacePath): boolean =>
      this.#places.some((place) => path === place || isBelow(path, place));
    this.#leftOut = files.filter(({ path }) => !isInside(path)).length;
  }
}
