/** `forerun status`: every serving process of this user, with its servers and sessions. */

import { runDirectories } from '../../host/status/run-directory.ts';
import { runningProcesses } from '../../host/status/running-processes.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { type ColorChoice, paletteFor } from '../print/palette.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { statusReport } from './status-report.ts';

export interface StatusOptions {
  readonly format: 'human' | 'json';
  readonly color: ColorChoice;
}

export async function statusCommand({ signal }: ProcessLifetime, options: StatusOptions): Promise<ExitCode> {
  const processes = await runningProcesses(runDirectories(process.env), {}, signal);
  if (options.format === 'human') {
    process.stdout.write(statusReport(processes, paletteFor(options.color, process.stdout, process.env)));
  } else {
    const report = processes.map((running) =>
      running.kind === 'answered' ? running.status : { pid: running.pid, silent: true },
    );
    process.stdout.write(`${JSON.stringify({ processes: report }, undefined, 2)}\n`);
  }
  return exitCodes.good;
}
