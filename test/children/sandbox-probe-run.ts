/** Runs probes in one sandbox and prints what each printed. A program of its own, so that it can be run by another user. */
import { silentLog } from '../../src/base/log.ts';
import { refuseProgram } from '../../src/sandbox/internal/confining-program.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import type { Probe } from '../support/sandbox-probe.ts';
import { overlayOf } from '../support/sandbox-scenario.ts';

export interface ProbeRun {
  readonly root: string;
  readonly probes: readonly Probe[];
  /** `our own programs`: as on a machine without bubblewrap. */
  readonly by: 'the best program' | 'our own programs';
}

export type ProbeAnswers = Readonly<Record<string, string>>;

const run: ProbeRun = JSON.parse(process.argv[2] ?? '');
if (run.by === 'our own programs') refuseProgram('bubblewrap');
const { signal } = new AbortController();
const workspace = await Workspace.open(run.root);
const options = { env: process.env, log: silentLog, tiers: ['isolated'] as const };
await using sandbox = await openSandbox(workspace, overlayOf(workspace, {}), options, signal);
const answers: Record<string, string> = { because: sandbox.because };
for (const { name, command } of run.probes) {
  const outcome = await sandbox.run(`{ ${command}\n} 2>&1; echo DONE`, { timeoutMs: 60_000 }, signal);
  answers[name] = outcome.kind === 'finished' ? outcome.stdout + outcome.stderr : outcome.why;
}
process.stdout.write(JSON.stringify(answers));
