/**
 * The scope of a server that was started with directories to load.
 *
 * Such a server checks any open file alike, wherever it lies; only searches over the whole workspace are limited to
 * the directories.
 *
 * Invariant: once everything was requested, the files it cannot search are counted.
 */

import type { Survey } from '../../graph/reach/reach-graph.ts';
import { isBelow, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { LoadScope } from './load-scope.ts';

export class ChosenPlaces implements LoadScope {
  readonly isWhole = false;
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
