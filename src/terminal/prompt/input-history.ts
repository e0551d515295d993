/**
 * The history of inputs.
 *
 * Invariant: moving through the history never loses the text being typed.
 */
export interface InputHistory {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** The index shown; the text being typed follows the last entry. */
  readonly place: number;
  readonly draft: string;
}

const longestHistory = 1000;

export function historyOf(entries: readonly string[]): InputHistory {
  const kept = entries.slice(-longestHistory);
  return { entries: kept, place: kept.length, draft: '' };
}

/** Adds an entry; a repeated input is stored once. */
export function remembered({ entries }: InputHistory, text: string): InputHistory {
  return historyOf(entries.at(-1) === text ? entries : [...entries, text]);
}

export interface Recalled {
  readonly history: InputHistory;
  readonly text: string;
}

/** One step back or forward from the shown text; undefined at either end. */
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
