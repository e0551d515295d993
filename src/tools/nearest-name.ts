/** The known name that an unknown one was probably meant to be. */

/** Undefined if none is near: a wrong guess is worse than none. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const plain = spelled(name);
  const ranked = known
    .map((each) => ({ each, misses: distance(plain, spelled(each)) }))
    .sort((one, other) => one.misses - other.misses);
  const [best] = ranked;
  if (!best) return undefined;
  return best.misses <= Math.max(1, Math.floor(plain.length / 4)) ? best.each : partOf(plain, known);
}

/** `path` is probably `file_path`, if it is part of one known name only. */
function partOf(plain: string, known: readonly string[]): string | undefined {
  if (plain.length < 4) return undefined;
  const [only, ...others] = known.filter(
    (each) => spelled(each).includes(plain) || plain.includes(spelled(each)),
  );
  return others.length === 0 ? only : undefined;
}

/** `filePath` and `file_path` are the same name. */
function spelled(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** How many letters must be inserted, deleted or replaced. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, against] of [...other].entries()) {
      const [diagonal = 0, above = 0, left = 0] = [row[at], row[at + 1], next[at]];
      next.push(Math.min(diagonal + (letter === against ? 0 : 1), above + 1, left + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
