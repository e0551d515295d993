/**
 * Finds the texts that can mention a name, possibly under an alias.
 *
 * Invariant: a text is excluded only if it contains neither the name nor any alias under which the matching texts
 * import or export it.
 */

/** The keys of the texts that may mention `name`, in their order; all of them if the name is unknown. */
export function spellingsIn<Key>(texts: ReadonlyMap<Key, string>, name: string | undefined): readonly Key[] {
  if (name === undefined) return [...texts.keys()];
  // Iterating over a set includes elements added meanwhile, so it serves as its own queue.
  const names = new Set([name]);
  const found = new Set<Key>();
  for (const spelling of names) {
    const word = wordPattern(spelling);
    for (const [key, text] of texts) {
      if (!word.test(text)) continue;
      found.add(key);
      const aliases = aliasesIn(text, spelling);
      // A default export can be imported under any name.
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
