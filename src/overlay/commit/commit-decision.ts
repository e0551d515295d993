/**
 * Something outside the workspace that must come true together with a commit, or not at all.
 *
 * Invariant: where the decision has a place, that alone tells. Once its mark stands there in a whole line the commit
 * stays, whoever ends it and whenever; as long as it does not, the commit is undone.
 */
import { readFile, stat } from 'node:fs/promises';
import { isMissing } from '../../base/errno.ts';

export interface CommitDecision {
  /** Absent where the decision itself does not outlive the process. */
  readonly place?: DecisionPlace;
  /**
   * Makes it: writes the line with the mark. It is called when every file is in its place and nothing is left to do
   * but to say so; to throw is to have the files put back.
   */
  readonly decide: () => Promise<void>;
}

export interface DecisionPlace {
  /** A file of lines outside the workspace that is only ever added to. */
  readonly record: string;
  /** Written there with the decision, and never otherwise. */
  readonly mark: string;
}

/** Whether the mark stands in the record. A line that was cut short says nothing. */
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
