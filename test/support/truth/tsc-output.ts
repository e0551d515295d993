/**
 * Reads what the TypeScript compiler prints without colours: one line a problem, further lines indented.
 *
 * Invariant: a line that is neither is an error of the reader, and thrown. A problem of the whole project has no path.
 */
import { normaliseMessage, type Problem } from './problem.ts';

export function parseTsc(output: string, root: string): readonly Problem[] {
  const problems: Problem[] = [];
  for (const line of output.split(/\r?\n/)) {
    const [, path, row, column, severity, code, message] =
      /^(.+)\((\d+),(\d+)\): (error|warning) TS(\d+): (.*)$/.exec(line) ?? [];
    const [, wide, about] = /^error TS(\d+): (.*)$/.exec(line) ?? [];
    const last = problems.at(-1);
    if (wide !== undefined && about !== undefined) {
      problems.push({ path: '', line: 1, column: 1, severity: 'error', code: wide, message: about });
    } else if (path !== undefined && code !== undefined && message !== undefined) {
      problems.push({
        path,
        line: Number(row),
        column: Number(column),
        severity: severity === 'warning' ? 'warning' : 'error',
        code,
        message,
      });
    } else if (last !== undefined && /^\s+\S/.test(line)) {
      problems.splice(-1, 1, { ...last, message: `${last.message}\n${line}` });
    } else if (line.trim() !== '') throw new Error(`tsc printed an unexpected line: ${line}`);
  }
  return problems.map((problem) => ({ ...problem, message: normaliseMessage(problem.message, root) }));
}

/** Whether a problem may be one that keeps the compiler from looking at types. */
export function isSyntactic(problem: Problem): boolean {
  const code = Number(problem.code);
  return code >= 1000 && code < 2000;
}
