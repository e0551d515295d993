/** The suggestion and its predicted effect, as shown in the prompt. */
import { renderOffer } from '../../speculation/engine/offer.ts';
import type { SpeculationState } from '../../speculation/engine/speculation-state.ts';

export interface ShownSuggestion {
  readonly text: string;
  /** Absent if nothing runs ahead of it. */
  readonly verdict?: string;
}

/** Undefined if there is nothing to show. */
export function shownSuggestion(state: SpeculationState): ShownSuggestion | undefined {
  switch (state.kind) {
    case 'suggested':
      return { text: state.suggestion };
    case 'running':
      return { text: state.suggestion, verdict: 'working ahead …' };
    case 'ready':
      return { text: state.suggestion, verdict: renderOffer(state.verdict, state.boundary, state.restsOn) };
    default:
      return undefined;
  }
}
