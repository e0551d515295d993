/**
 * Paths that contain the characters of a query in order, best first.
 *
 * Invariant: a path that the query names whole, or whose last part it begins, comes before one whose characters are
 * merely scattered; equal ones come in the order of paths.
 */
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';

export function bestMatches(
  paths: readonly WorkspacePath[],
  query: string,
  limit: number,
): readonly WorkspacePath[] {
  const wanted = query.toLowerCase().replaceAll('\\', '/').replaceAll(' ', '');
  const scored = paths.flatMap((path) => {
    const score = scoreOf(path.toLowerCase(), wanted);
    return score === undefined ? [] : [{ path, score }];
  });
  return scored
    .sort((a, b) => b.score - a.score || a.path.length - b.path.length || comparePaths(a.path, b.path))
    .slice(0, limit)
    .map(({ path }) => path);
}

/** Undefined where the characters do not all occur in order. */
function scoreOf(path: string, wanted: string): number | undefined {
  if (wanted === '') return 0;
  const nameStart = path.lastIndexOf('/') + 1;
  const inName = wanted.includes('/') ? undefined : scatteredScore(path, wanted, nameStart);
  const score = inName === undefined ? scatteredScore(path, wanted, 0) : inName + nameBonus;
  if (score === undefined) return undefined;
  const whole = path.slice(nameStart) === wanted || path === wanted ? 2 * nameBonus : 0;
  return score + whole + (path.startsWith(wanted, nameStart) ? nameBonus : 0);
}

const nameBonus = 1000;

/** Characters that follow each other, or begin a word, count more. */
function scatteredScore(path: string, wanted: string, from: number): number | undefined {
  let score = 0;
  let last = from - 1;
  for (const character of wanted) {
    const at = path.indexOf(character, last + 1);
    if (at < 0) return undefined;
    if (at === last + 1) score += 8;
    else if (at === 0 || /[/._-]/.test(path[at - 1] ?? '')) score += 6;
    else score += 1;
    last = at;
  }
  return score;
}
