/**
 * What the compilers of a workspace say about it.
 *
 * Invariant: each problem is named once, however many projects report it; paths are relative to the workspace.
 */
import { compareProblems, type Problem } from '../truth/problem.ts';

/** The code of what does not parse, where the server has a parser of its own and goes on at another place. */
export const syntaxCode = 'syntax';

export interface CompilerReport {
  /** One that the compiler gives no place has the path of a directory, which ends in a slash. */
  readonly problems: readonly Problem[];
  /** Which program answered, for each part of the workspace, in the order asked. */
  readonly answeredBy: readonly string[];
  /** Files the compiler did not look at, or not to the end, because of another error: it may have more to say of them. */
  readonly hidden?: ReadonlySet<string>;
}

/** A compiler over one directory. What it writes, it writes outside of it. */
export interface WorkspaceCompiler {
  /** The files it checks, once it has measured the workspace; absent where that is not known. */
  readonly members?: ReadonlySet<string>;
  measure(signal: AbortSignal): Promise<CompilerReport>;
  /** The same after some files changed on disk; parts they cannot reach may keep their last answer. */
  measureAfter(changed: readonly string[], signal: AbortSignal): Promise<CompilerReport>;
  /** Measured another way, where the compiler's own answer is not always the same. */
  measureAgain?(signal: AbortSignal): Promise<CompilerReport>;
}

/** Sorted, each place and code once. */
export function distinct(problems: readonly Problem[]): readonly Problem[] {
  const byPlace = new Map(
    problems.map((problem) => [
      JSON.stringify([problem.path, problem.line, problem.column, problem.code, projectNamed(problem)]),
      problem,
    ]),
  );
  return [...byPlace.values()].sort(compareProblems);
}

/** Tells problems at one place apart: of a file that projects do not list each has an error, which names the project. */
export function projectNamed({ code, message }: Problem): string {
  return code === '6307' ? message : '';
}
