/** Edits of several files that were worked out and not made: they can be judged, and made, by their name. */
import type { Overlay } from '../overlay/overlay.ts';
import { KeptAnswers } from './code/kept-answers.ts';
import type { WorkedOutEdit } from './edit-applier.ts';

export interface EditPlan {
  /** The workspace with the edit, on the unsaved text that it was worked out on. */
  readonly edited: Overlay;
  readonly worked: WorkedOutEdit;
}

export type EditPlans = KeptAnswers<EditPlan>;

const keptPlans = 8;

export function editPlans(): EditPlans {
  return new KeptAnswers('plan', keptPlans);
}
