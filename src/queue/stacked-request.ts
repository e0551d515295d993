/**
 * A request moved onto another base: the layers of its overlay stacked on the difference between what is on disk and what
 * the request was made on.
 *
 * Invariant: the change that is judged stays the same; what lies beneath it is shown, and is no part of the comparison.
 */
import type { Against } from '../evaluation/comparison-base.ts';
import { decodeOverlay, encodeOverlay } from '../overlay/encoded-overlay.ts';
import type { Overlay } from '../overlay/overlay.ts';

export interface StackedChange {
  readonly overlay: Overlay;
  readonly against: Against | undefined;
}

/** `difference` leads from the disk to what `change` was made on. */
export async function stackOn(difference: Overlay, change: StackedChange): Promise<StackedChange> {
  // Compared with the disk, all its layers are one change; above a difference, the uppermost layer alone is compared.
  const { overlay, against } = change;
  const judged = against === 'beneath' ? overlay : overlay.flattened();
  return { overlay: decodeOverlay(await encodeOverlay(judged), difference), against: 'beneath' };
}
