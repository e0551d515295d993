/**
 * Chooses between symbols that match a dotted name.
 *
 * Invariant: the choice depends on names and files only; of equal matches, the first is taken.
 */
import { isTestFile } from '../../code/test-file.ts';

export interface Candidate<T> {
  readonly found: T;
  /** Its own name last, its containers before it. */
  readonly names: readonly string[];
  readonly file: string;
}

/**
 * First the exact name in the given container, then any symbol in that container, then the name alone; tests come
 * last.
 */
export function bestMatch<T>(
  candidates: readonly Candidate<T>[],
  wanted: readonly string[],
): Candidate<T> | undefined {
  const container = wanted.slice(0, -1);
  const isNamed = ({ names }: Candidate<T>): boolean => names.at(-1) === wanted.at(-1);
  const isInside = (candidate: Candidate<T>): boolean =>
    container.length > 0 && endsWith(containersOf(candidate), container);
  const isLive = ({ file }: Candidate<T>): boolean => !isTestFile(file);
  const orders: readonly ((candidate: Candidate<T>) => boolean)[] = [
    (each) => isNamed(each) && isInside(each),
    isInside,
    isNamed,
  ];
  for (const fits of orders) {
    const fitting = candidates.filter(fits);
    const best = fitting.find(isLive) ?? fitting[0];
    if (best) return best;
  }
  return candidates[0];
}

/** Splits a dotted path into names, also at the separators of packages and C++ scopes. */
export function namesOf(path: string): readonly string[] {
  return path
    .split(/\.|::|\/|#/)
    .map((name) => name.replace(/^[(*&\s]+|[)\s]+$/g, ''))
    .filter((name) => name !== '');
}

/** A file is the container of its top-level symbols: `math.add` may mean `add` of `math.ts`. */
function containersOf<T>({ names, file }: Candidate<T>): readonly string[] {
  const module = file.replace(/\.[^./\\]+$/, '').split(/[\\/]/);
  return [...module, ...names.slice(0, -1)];
}

function endsWith(names: readonly string[], end: readonly string[]): boolean {
  return end.every((name, at) => names[names.length - end.length + at] === name);
}
