/**
 * Which of several symbols a dotted name means.
 *
 * Invariant: the choice depends on names and files alone, and of equals the first is taken.
 */
import { isTestFile } from '../../code/test-file.ts';

export interface Candidate<T> {
  readonly found: T;
  /** Its own name last, what it lies in before that. */
  readonly names: readonly string[];
  readonly file: string;
}

/** Exact name in the right container, then anything in that container, then the name alone; tests come after. */
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

/** The names a dotted path is made of; packages and C++ scopes separate otherwise. */
export function namesOf(path: string): readonly string[] {
  return path
    .split(/\.|::|\/|#/)
    .map((name) => name.replace(/^[(*&\s]+|[)\s]+$/g, ''))
    .filter((name) => name !== '');
}

/** A file is the container of what lies in nothing else: `math.add` may mean `add` of `math.ts`. */
function containersOf<T>({ names, file }: Candidate<T>): readonly string[] {
  const module = file.replace(/\.[^./\\]+$/, '').split(/[\\/]/);
  return [...module, ...names.slice(0, -1)];
}

function endsWith(names: readonly string[], end: readonly string[]): boolean {
  return end.every((name, at) => names[names.length - end.length + at] === name);
}
