/** Changes put together from others. */
import type { Change, ChangedFile, ChangeKind, DrawChange } from './change.ts';
import { drawOne } from './sources.ts';

/** Two to four changes of other kinds in different files, made at once. */
export function severalFiles(kinds: readonly ChangeKind[]): DrawChange {
  return (sources, random) => {
    const files = new Map<string, ChangedFile>();
    const sentences: string[] = [];
    const wanted = 2 + random.below(3);
    for (let attempt = 0; attempt < 12 && sentences.length < wanted; attempt++) {
      const part: Change | undefined = drawOne(kinds, random)?.draw(sources, random);
      if (!part || part.files.some(({ path }) => files.has(path))) continue;
      for (const file of part.files) files.set(file.path, file);
      sentences.push(part.sentence);
    }
    if (sentences.length < 2) return undefined;
    return { kind: '', sentence: sentences.join('; '), files: [...files.values()] };
  };
}
