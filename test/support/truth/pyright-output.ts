/**
 * Reads pyright's JSON report.
 *
 * Invariant: only errors and warnings count; the rest is advice.
 */
import { z } from 'zod';
import { normaliseMessage, type Problem } from './problem.ts';

const report = z.object({
  generalDiagnostics: z.array(
    z.object({
      file: z.string(),
      severity: z.string(),
      message: z.string(),
      rule: z.string().optional(),
      range: z.object({ start: z.object({ line: z.number(), character: z.number() }) }),
    }),
  ),
});

/** The problems of a report; paths are relative to `prefix`, which all of them begin with. */
export function parsePyright(output: string, prefix: string): readonly Problem[] {
  return report
    .parse(JSON.parse(output))
    .generalDiagnostics.flatMap(({ file, severity, message, rule, range }) =>
      severity !== 'error' && severity !== 'warning'
        ? []
        : {
            path: file.slice(prefix.length),
            line: range.start.line + 1,
            column: range.start.character + 1,
            severity,
            code: rule ?? '',
            message: normaliseMessage(message, prefix.slice(0, -1)),
          },
    );
}
