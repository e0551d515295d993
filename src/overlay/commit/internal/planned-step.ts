import type { BigIntStats } from 'node:fs';
import type { FileContent } from '../../../workspace/file-content.ts';
import type { Step } from './journal.ts';

/** A step of the journal together with what it takes to make it. */
export interface PlannedStep {
  readonly step: Step;
  /** The new content of a file or link; undefined for steps that write none. */
  readonly content?: FileContent | undefined;
  /** The entry that a deletion or a replacement takes away, as it was when it was looked at. */
  readonly existing?: BigIntStats | undefined;
}
