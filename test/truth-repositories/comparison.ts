/**
 * Whether an answer and the compiler agree about a change.
 *
 * The compiler's problems before the change, without those the answer calls resolved, carried through the edits, and with
 * those it calls introduced, must be the compiler's problems after it. Compared are the file, the line and the code.
 *
 * Invariant: an answer that claims to be sure and differs is never counted as honest.
 */
import { posix } from 'node:path';
import { type ParseError, parse as parseJson } from 'jsonc-parser';
import type { Change, ChangedFile } from '../support/changes/change.ts';
import type { Sources } from '../support/changes/sources.ts';
import { projectNamed, syntaxCode } from '../support/compilers/report.ts';
import { carryBetween } from '../support/truth/carry.ts';
import type { Problem } from '../support/truth/problem.ts';
import type { ForerunAnswer } from './forerun-answer.ts';

/**
 * `unread`: no verdict, rightly, since the compiler does not read the changed lines either. `honest`: no verdict, or one that is
 * marked as unsure and differs.
 */
export type Outcome = 'exact' | 'unread' | 'honest' | 'false-clean' | 'false-high' | 'invented';

/** The outcomes in which the compiler contradicts nothing. */
export const uncontradicted: readonly Outcome[] = ['exact', 'unread', 'honest'];

export interface Comparison {
  readonly outcome: Outcome;
  /** In the compiler's list after the change, not in the one that follows from the answer. */
  readonly missed: readonly string[];
  /** The other way round. */
  readonly invented: readonly string[];
  /** Called resolved, but not among the problems before. */
  readonly neverThere: readonly string[];
}

export interface Measured {
  readonly before: readonly Problem[];
  readonly after: readonly Problem[];
  /** Problems that the compiler reports in one run and not in another: either answer is right. */
  readonly unstable: ReadonlySet<string>;
  /** Files of which the compiler may have more to say after the change than it did. */
  readonly hidden: ReadonlySet<string>;
}

/** What makes two problems the same, beside their file and line. */
export type CodeOf = (problem: Problem) => string;

export function compareAnswer(
  answer: ForerunAnswer,
  measured: Measured,
  context: { readonly change: Change; readonly sources: Sources; readonly codeOf: CodeOf },
): Comparison {
  const { change, codeOf } = context;
  const carry = carrier(context);
  const key = (problem: Problem): string => problemKey(problem, codeOf);
  const unparsed = measured.after.filter(({ code }) => code === syntaxCode).map(({ path }) => path);
  const cut = [...new Set([...change.files.filter(isUnreadable).map(({ path }) => path), ...unparsed])];
  const elsewhere = (problems: readonly Problem[]): readonly Problem[] =>
    problems.filter(({ path }) => !cut.includes(path));
  const named = cut.filter((path) => answer.introduced.some((problem) => problem.path === path));
  const resolved = counted(onceALine(distinctPlaces(elsewhere(answer.resolved)).map(key)));
  const kept = elsewhere(measured.before).filter((problem) => !take(resolved, key(problem)));
  const derived = counted([
    ...onceALine([...kept.map(carry), ...distinctPlaces(elsewhere(answer.introduced))].map(key)),
    ...named.map(unreadable),
  ]);
  const isStable = (name: string): boolean => !measured.unstable.has(name);
  const missed: string[] = [];
  const placed = elsewhere(measured.after).filter((problem) => !isCovered(problem, answer));
  for (const name of [...onceALine(placed.map(key)), ...cut.map(unreadable)])
    if (!take(derived, name) && isStable(name)) missed.push(name);
  const isSeen = (name: string): boolean => !measured.hidden.has(name.slice(0, name.lastIndexOf(':')));
  const invented = rest(derived).filter((name) => isStable(name) && isSeen(name));
  const neverThere = rest(resolved).filter(isStable);
  const differs = missed.length + invented.length + neverThere.length > 0;
  return { outcome: outcomeOf(answer, { differs, missed, invented }), missed, invented, neverThere };
}

/** Begins the key of a problem that the compiler reports at any of several places. */
const unplaced = 'anywhere: ';

export function problemKey(problem: Problem, codeOf: CodeOf): string {
  // The library of the language comes with each compiler, and that of a workspace is another file than ours.
  const path = problem.path.replace(/^.*\/lib\/(lib(?:\.[\w.]+)?\.d\.ts)$/, '$1');
  // A file that its project does not list is reported at any import of it, and once or more often.
  if (problem.code === '6307') return unplaced + problem.message;
  // Errors of a whole project have no place: each program puts them where it likes.
  const line = /(^|\/)(tsconfig[^/]*\.json|go\.mod|Cargo\.toml)$/.test(path) ? 0 : problem.line;
  return `${path}:${line} ${codeOf(problem)}`.trim();
}

/**
 * JSON that does not parse: every reader has its own words for it, or none. One error in the file is the truth, as in
 * sources that a compiler and a server parse by different programs.
 */
function isUnreadable({ path, after }: ChangedFile): boolean {
  if (!path.endsWith('.json') || after === undefined) return false;
  const errors: ParseError[] = [];
  parseJson(after, errors, { allowTrailingComma: true });
  return errors.length > 0;
}

function unreadable(path: string): string {
  return `${path}:0 does not parse`;
}

/** A problem without a place is met by any error that the answer has in its directory. */
function isCovered({ path }: Problem, { introduced }: ForerunAnswer): boolean {
  return path.endsWith('/') && introduced.some((problem) => `${posix.dirname(problem.path)}/` === path);
}

function outcomeOf(
  { verdict, confidence }: ForerunAnswer,
  found: {
    readonly differs: boolean;
    readonly missed: readonly string[];
    readonly invented: readonly string[];
  },
): Outcome {
  if (verdict === 'unknown') return 'honest';
  if (!found.differs) return 'exact';
  if (verdict === 'clean') return found.missed.length > 0 ? 'false-clean' : 'false-high';
  if (confidence !== 'high') return 'honest';
  return found.missed.length > 0 ? 'false-high' : 'invented';
}

function carrier({ change, sources }: { change: Change; sources: Sources }): (problem: Problem) => Problem {
  const changed = change.files.flatMap(({ path, after }) =>
    after === undefined ? [] : [[path, { before: sources.text(path), after }] as const],
  );
  const before = changed.flatMap(([path, { before: text }]) =>
    text === undefined ? [] : [[path, text] as const],
  );
  return carryBetween(
    Object.fromEntries(before),
    Object.fromEntries(changed.map(([path, { after }]) => [path, after])),
  );
}

/** Several projects may report the same place and code. */
function distinctPlaces(problems: readonly Problem[]): readonly Problem[] {
  const places = new Map(
    problems.map((problem) => [
      `${problem.path}:${problem.line}:${problem.column} ${problem.code} ${projectNamed(problem)}`,
      problem,
    ]),
  );
  return [...places.values()];
}

/** Compilers without codes report one problem a line, or one at each place of it: there a line counts once. */
function onceALine(names: readonly string[]): readonly string[] {
  const isCounted = (name: string): boolean => !/:\d+$/.test(name) && !name.startsWith(unplaced);
  return names.filter((name, place) => isCounted(name) || names.indexOf(name) === place);
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Takes one away; whether there was one. */
function take(counts: Map<string, number>, name: string): boolean {
  const count = counts.get(name) ?? 0;
  if (count > 0) counts.set(name, count - 1);
  return count > 0;
}

function rest(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts].flatMap(([name, count]) => Array.from({ length: count }, () => name)).sort();
}
