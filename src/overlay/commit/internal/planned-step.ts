import type { BigIntStats } from 'node:fs';
import type { FileContent } from '../../../workspace/file-content.ts';
import type { Step } from './journal.ts';

/** A step of the journal with the data needed to make it. */
export interface PlannedStep {
  readonly step: Step;
  /** The new content of a file or link; undefined for steps that write none. */
  readonly content?: FileContent | undefined;
  /** The entry that a deletion or a replacement removes, as of the plan. */
  readonly existing?: BigIntStats | undefined;
}
