/** A command that ran to its end and printed a little. */
import type { FinishedRun } from '../../src/agent/command-runner.ts';

export const finishedCommand: FinishedRun = {
  kind: 'finished',
  code: 0,
  stdout: 'ok',
  stderr: '',
  truncated: false,
  timedOut: false,
  diskFull: false,
  durationMs: 1,
};
