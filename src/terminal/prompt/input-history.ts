/**
 * What was said before, to go back to.
 *
 * Invariant: going back and forth loses nothing of what is being written.
 */
export interface InputHistory {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** The place shown; behind the last entry stands what is being written. */
  readonly place: number;
  readonly draft: string;
}

const longestHistory = 1000;

export function historyOf(entries: readonly string[]): InputHistory {
  const kept = entries.slice(-longestHistory);
  return { entries: kept, place: kept.length, draft: '' };
}

/** The history with one more entry; what is said twice in a row is kept once. */
export function remembered({ entries }: InputHistory, text: string): InputHistory {
  return historyOf(entries.at(-1) === text ? entries : [...entries, text]);
}

export interface Recalled {
  readonly history: InputHistory;
  readonly text: string;
}

/** One step back or forth from the text that is shown; undefined where there is nothing further. */
export function recalled(
  history: InputHistory,
  shown: string,
  direction: 'back' | 'forth',
): Recalled | undefined {
  const { entries, place } = history;
  const next = direction === 'back' ? place - 1 : place + 1;
  if (next < 0 || next > entries.length) return undefined;
  const draft = place === entries.length ? shown : history.draft;
  return { history: { entries, place: next, draft }, text: entries[next] ?? draft };
}
