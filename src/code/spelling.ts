/**
 * Which texts can mention a name, though it may go by another name there.
 *
 * Invariant: a text is passed over only if it holds neither the name nor any name it was imported or
 * exported under in the texts that do.
 */

/** The keys of the texts that may mention `name`, in their order; all of them where the name is not known. */
export function spellingsIn<Key>(texts: ReadonlyMap<Key, string>, name: string | undefined): readonly Key[] {
  if (name === undefined) return [...texts.keys()];
  // A set hands out what is added while it is walked, so it is its own queue.
  const names = new Set([name]);
  const found = new Set<Key>();
  for (const spelling of names) {
    const word = wordPattern(spelling);
    for (const [key, text] of texts) {
      if (!word.test(text)) continue;
      found.add(key);
      const aliases = aliasesIn(text, spelling);
      // What is exported as the default is imported under any name whatsoever.
      if (aliases.includes('default')) return [...texts.keys()];
      for (const alias of aliases) names.add(alias);
    }
  }
  return [...texts.keys()].filter((key) => found.has(key));
}

function aliasesIn(text: string, name: string): readonly string[] {
  const word = escaped(name);
  const renamed = text.matchAll(
    new RegExp(`(?<![\\p{L}\\p{N}_$])${word}\\s+as\\s+([\\p{L}_$][\\p{L}\\p{N}_$]*)`, 'gu'),
  );
  const isDefault = new RegExp(
    `export\\s+default\\b[^;{(=]*(?<![\\p{L}\\p{N}_$])${word}(?![\\p{L}\\p{N}_$])`,
    'u',
  ).test(text);
  return [...Array.from(renamed, ([, alias]) => alias ?? ''), ...(isDefault ? ['default'] : [])];
}

function wordPattern(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped(name)}(?![\\p{L}\\p{N}_$])`, 'u');
}

function escaped(name: string): string {
  return name.replace(/[$.*+?^()[\]{}|\\]/g, '\\$&');
}
