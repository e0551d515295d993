/**
 * Where a report goes: to standard output, and to the files that the user named.
 *
 * Invariant: a file that cannot be written fails the command, but only after everything else was written.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure, messageOf } from '../../base/failure.ts';
import { type Palette, plain } from '../print/palette.ts';
import type { Report } from './format/report.ts';
import type { ReportFormat } from './format/report-format.ts';

export interface ReportOutput {
  readonly format: ReportFormat;
  /** Absent: standard output. */
  readonly file?: string;
}

export async function writeReport(
  report: Report,
  outputs: readonly ReportOutput[],
  palette: Palette,
): Promise<void> {
  const failures: Failure[] = [];
  for (const { format, file } of outputs) {
    const text = await format.render(report, file === undefined ? palette : plain);
    if (file === undefined) process.stdout.write(text);
    else
      await writeFileAt(file, text).catch((cause: unknown) =>
        failures.push(new ReportNotWritten(file, cause)),
      );
  }
  const [failure] = failures;
  if (failure) throw failure;
}

async function writeFileAt(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

class ReportNotWritten extends Failure {
  readonly code = 'cli/report-not-written';
  readonly remedy = 'Name a file that can be written: --format <format>=<file>.';

  constructor(file: string, cause: unknown) {
    super(`cannot write the report to ${file}: ${messageOf(cause)}`, { cause });
  }
}
