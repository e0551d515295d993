/**
 * Where a speculation stopped, and why.
 *
 * Invariant: only `complete` means that there is nothing left to do; after any other a normal query goes on from what
 * was done.
 */
import type { LostFiles } from '../../agent/command-runner.ts';
import type { CallBoundary } from '../../tools/boundary.ts';

export type Boundary =
  | { readonly kind: 'complete' }
  /** It came to a call that may not be made ahead of the user. */
  | (CallBoundary & {
      /** Present where a command ran to its end but left files that cannot be kept, so that it must run again. */
      readonly lost?: LostFiles;
    })
  /** It worked for as long as it may. */
  | { readonly kind: 'limit'; readonly detail: string }
  /** The user accepted before it was done. */
  | { readonly kind: 'accepted' };

/** The reason with which a run is asked to stop and to answer with what it has. */
export class AcceptedEarly extends Error {
  constructor() {
    super('the suggestion was accepted before the work on it was done');
    this.name = 'AcceptedEarly';
  }
}
