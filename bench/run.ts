/**
 * `npm run bench [-- name… --write --strict]`: measures the claims, all of them or the named ones.
 *
 * Invariant: results.md is written only by a full run that was not interrupted, or on demand with `--write`, which
 * leaves the sections of benches that were not run as they are.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../src/base/failure.ts';
import { provisionedPrograms } from '../test/support/provisioned.ts';
import { bench as ahead } from './ahead.ts';
import { bench as sandbox } from './ahead-sandbox.ts';
import { type Bench, isHeld, type Line } from './bench.ts';
import { bench as commit } from './commit.ts';
import { bench as confine } from './confine.ts';
import { bench as dependents } from './dependents.ts';
import { bench as editor } from './editor.ts';
import { bench as fork } from './fork.ts';
import { bench as git } from './git.ts';
import { bench as hook } from './hook.ts';
import { bench as pool } from './pool.ts';
import { bench as preview } from './preview.ts';
import { bench as previewInProcess } from './preview-in-process.ts';
import { bench as queue } from './queue.ts';
import { bench as quiet } from './quiet.ts';
import { type BenchResult, renderLine, renderResults, tableHead } from './report.ts';
import { bench as repositories } from './repositories.ts';
import { bench as start } from './start.ts';
import { BenchContext } from './support/bench-context.ts';
import { describeMachine } from './support/machine.ts';
import { bench as surface } from './surface.ts';
import { bench as terminal } from './terminal.ts';
import { bench as warm } from './warm.ts';
import { bench as wholePatch } from './whole-patch.ts';

/** What creates files comes before what removes them in great numbers; see commit.ts. */
const benches: readonly Bench[] = [
  commit,
  preview,
  previewInProcess,
  quiet,
  dependents,
  editor,
  wholePatch,
  repositories,
  pool,
  surface,
  warm,
  start,
  hook,
  git,
  terminal,
  sandbox,
  confine,
  queue,
  ahead,
  fork,
];

async function main(words: readonly string[], signal: AbortSignal): Promise<number> {
  const flags = words.filter((word) => word.startsWith('--'));
  const names = words.filter((word) => !word.startsWith('--'));
  const unknown = [
    ...flags.filter((flag) => flag !== '--write' && flag !== '--strict'),
    ...names.filter((name) => !benches.some((bench) => bench.name === name)),
  ];
  if (unknown.length > 0) {
    tell(`unknown: ${unknown.join(', ')}; benches are: ${benches.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  useProvisionedServers();
  const chosen = names.length === 0 ? benches : benches.filter(({ name }) => names.includes(name));
  const machine = await describeMachine(signal);
  console.log(machine.join('\n'));
  const results: BenchResult[] = [];
  await using context = new BenchContext(tell);
  for (const bench of chosen) results.push(await measure(bench, context, signal));
  if (names.length === 0 || flags.includes('--write')) {
    const earlier = { text: await readFile(resultsFile, 'utf8'), names: benches.map(({ name }) => name) };
    await writeFile(resultsFile, renderResults(machine, results, earlier));
  }
  const isAllHeld = results.every(({ bench, lines }) =>
    lines.every((line) => isHeld(line, bench.goal) !== 'no'),
  );
  return flags.includes('--strict') && !isAllHeld ? 1 : 0;
}

const resultsFile = fileURLToPath(new URL('results.md', import.meta.url));

async function measure(bench: Bench, context: BenchContext, signal: AbortSignal): Promise<BenchResult> {
  console.log(`\n${bench.name}: ${bench.claim}`);
  console.log(tableHead);
  const lines: Line[] = [];
  const [load = 0] = loadavg();
  const note = (line: Line): void => {
    lines.push(line);
    console.log(renderLine(line, bench.goal));
  };
  try {
    for await (const line of bench.run(context, signal)) note(line);
  } catch (thrown) {
    // A claim that cannot be measured does not stop the others; its line says why.
    if (signal.aborted) throw thrown;
    note({ kind: 'failed', what: bench.name, why: messageOf(thrown) });
  }
  return { bench, lines, load };
}

/** Servers that scripts/provision installed are found before those of the machine. */
function useProvisionedServers(): void {
  // A server that another run has warmed would be measured in place of our own.
  process.env.FORERUN_DAEMON ??= 'off';
  process.env.PATH = [provisionedPrograms, process.env.PATH ?? ''].join(delimiter);
}

function tell(progress: string): void {
  process.stderr.write(`  … ${progress}\n`);
}

// The generated workspaces are removed at the end, also if a signal ends the run.
const life = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => life.abort(new Error(`ended by ${name}`)));
try {
  process.exitCode = await main(process.argv.slice(2), life.signal);
} catch (thrown) {
  if (!life.signal.aborted) throw thrown;
  tell(messageOf(thrown));
  process.exitCode = 130;
}
