/** Letters of a query found in order in a text, with a score that prefers beginnings of words and runs. */

export interface FuzzyMatch {
  readonly score: number;
  readonly hits: ReadonlySet<number>;
}

/** Undefined if a letter is missing. The empty query matches everything. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
  const wanted = query.toLowerCase().replaceAll(' ', '');
  const lower = text.toLowerCase();
  const whole = lower.indexOf(query.toLowerCase());
  if (query !== '' && whole >= 0) {
    const hits = new Set(Array.from(query, (_, index) => whole + index));
    return { score: 1000 - whole + (isWordStart(text, whole) ? 200 : 0) - text.length / 100, hits };
  }
  const hits = new Set<number>();
  let from = 0;
  let score = 0;
  for (const letter of wanted) {
    const at = lower.indexOf(letter, from);
    if (at < 0) return undefined;
    score += (hits.has(at - 1) ? 8 : 0) + (isWordStart(text, at) ? 6 : 0) + 1;
    hits.add(at);
    from = at + 1;
  }
  return { score: score - text.length / 100, hits };
}

function isWordStart(text: string, at: number): boolean {
  const before = text[at - 1];
  if (before === undefined || /[^\p{L}\p{N}]/u.test(before)) return true;
  const letter = text[at] ?? '';
  return letter !== letter.toLowerCase() && before === before.toLowerCase();
}

/** The text in pieces, those that matched apart. */
export function marked(
  text: string,
  hits: ReadonlySet<number>,
): readonly { readonly text: string; readonly isHit: boolean }[] {
  const pieces: { text: string; isHit: boolean }[] = [];
  for (const [index, letter] of [...text].entries()) {
    const isHit = hits.has(index);
    const last = pieces.at(-1);
    if (last?.isHit === isHit) last.text += letter;
    else pieces.push({ text: letter, isHit });
  }
  return pieces;
}
