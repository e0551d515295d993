/**
 * A decision outside the workspace that is made together with a commit, or not at all.
 *
 * Invariant: if `place` is set, recovery keeps the commit if and only if `mark` is in a complete line of `record`;
 * otherwise the commit is undone.
 */
import { readFile, stat } from 'node:fs/promises';
import { isMissing } from '../../base/errno.ts';

export interface CommitDecision {
  /** Absent if the decision itself does not outlive the process. */
  readonly place?: DecisionPlace;
  /**
   * Makes the decision: writes the line with the mark. Called after all steps were made, as the commit point; if it
   * throws, the steps are undone.
   */
  readonly decide: () => Promise<void>;
}

export interface DecisionPlace {
  /** A file of lines outside the workspace that is only appended to. */
  readonly record: string;
  /** Written there with the decision, and never otherwise. */
  readonly mark: string;
}

/** Whether the mark is in the record. An incomplete line does not count. */
export async function isDecided({ record, mark }: DecisionPlace): Promise<boolean> {
  try {
    if (!(await stat(record)).isFile()) return false;
    const text = await readFile(record, 'utf8');
    return text.slice(0, text.lastIndexOf('\n') + 1).includes(mark);
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
}
