/**
 * Whether a short text has more than one sentence.
 *
 * Invariant: a stop after an abbreviation or a number, or an ellipsis, does not end a sentence.
 */
export function hasSentenceBreak(text: string): boolean {
  const body = text.trim().replace(/^\d+[.)]\s+/, '');
  if (/[。！？]\s*[\p{L}\p{N}]/u.test(body)) return true;
  for (const match of body.matchAll(/(\S*?)([.!?]+)["')\]”’]*\s+(?=[\p{L}\p{N}"'“‘(/])/gu)) {
    const [, word = '', stop = ''] = match;
    if (stop.startsWith('..')) continue;
    if (stop === '.' && isAbbreviation(word)) continue;
    return true;
  }
  return false;
}

const abbreviations: ReadonlySet<string> = new Set([
  'e.g',
  'i.e',
  'eg',
  'ie',
  'etc',
  'vs',
  'cf',
  'ca',
  'c.f',
  'approx',
  'incl',
  'excl',
  'resp',
  'esp',
  'no',
  'nr',
  'fig',
  'sec',
  'ch',
  'p',
  'pp',
  'al',
  'ed',
  'vol',
  'min',
  'max',
  'avg',
  'std',
  'dept',
  'est',
  'misc',
  'mr',
  'mrs',
  'ms',
  'dr',
  'prof',
  'st',
  'jr',
  'sr',
  'inc',
  'ltd',
  'co',
  'corp',
  'a.m',
  'p.m',
  'a.k.a',
  'w.r.t',
  'z.b',
  'bzw',
  'd.h',
  'usw',
  'ggf',
  'p.ej',
]);

function isAbbreviation(word: string): boolean {
  const bare = word.toLowerCase().replace(/^["'(“‘[]+/, '');
  // A single letter is an initial, or part of an abbreviation.
  return abbreviations.has(bare) || /^(\p{L}\.)*\p{L}$/u.test(bare);
}
