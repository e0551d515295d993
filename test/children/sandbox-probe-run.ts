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

/** To confine a command takes several times as long as most probes do. */
const probesPerCommand = 12;
const separator = '---next-probe---';

const run: ProbeRun = JSON.parse(process.argv[2] ?? '');
if (run.by === 'our own programs') refuseProgram('bubblewrap');
const { signal } = new AbortController();
const workspace = await Workspace.open(run.root);
const options = { env: process.env, log: silentLog, tiers: ['isolated'] as const };
await using sandbox = await openSandbox(workspace, overlayOf(workspace, {}), options, signal);
const answers: Record<string, string> = { because: sandbox.because };
for (let start = 0; start < run.probes.length; start += probesPerCommand) {
  const together = run.probes.slice(start, start + probesPerCommand);
  // A probe that ends its shell ends a subshell; one that takes the others along leaves them untried, which the test shows.
  const script = together
    .map(({ command }) => `( ${command}\n) 2>&1; echo DONE`)
    .join(`\necho ${separator}\n`);
  const outcome = await sandbox.run(`{ ${script}\n} 2>&1`, { timeoutMs: 60_000 }, signal);
  const printed = outcome.kind === 'finished' ? outcome.stdout + outcome.stderr : outcome.why;
  const parts = printed.split(`${separator}\n`);
  for (const [place, { name }] of together.entries()) answers[name] = parts[place] ?? printed;
}
process.stdout.write(JSON.stringify(answers));
