/**
 * Where a speculation stopped, and why.
 *
 * Invariant: only `complete` means that nothing is left to do; after any other boundary a normal query continues from
 * what was done.
 */
import type { LostFiles } from '../../agent/command-runner.ts';
import type { CallBoundary } from '../../tools/boundary.ts';

export type Boundary =
  | { readonly kind: 'complete' }
  /** The next tool call may not be made ahead of the user. */
  | (CallBoundary & {
      /** Present if a command ran to its end but wrote files that cannot be kept, so that it must run again. */
      readonly lost?: LostFiles;
    })
  /** The run reached its limit. */
  | { readonly kind: 'limit'; readonly detail: string }
  /** The user accepted before the run was complete. */
  | { readonly kind: 'accepted' };

/** The abort reason that asks a run to stop and to return what it has. */
export class AcceptedEarly extends Error {
  constructor() {
    super('the suggestion was accepted before the work on it was done');
    this.name = 'AcceptedEarly';
  }
}
