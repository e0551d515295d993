/**
 * Sessions through one process: made, edited, evaluated, destroyed. Four hundred in every run, two thousand in a soak.
 *
 * Memory is compared between two rounds of equal work, after everything that is filled once has been filled. The
 * bound is stated below; what one session leaves behind would show up hundreds of times over.
 */
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { McpConnection } from '../support/mcp-connection.ts';
import { residentBytes } from '../support/resident-bytes.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { rounds } from '../support/soak.ts';
import { until } from '../support/until.ts';

const sessions = rounds({ everyRun: 250, soak: 2000 });
/** Sessions alive at once. */
const abreast = 4;
/** After so many, whatever is filled once is full. */
const settledAfter = sessions / 2;
/** What may be added by the second half: the collector's slack, and no more. */
const slack = { ratio: 1.2, bytes: 24 * 1024 * 1024 };

const files = {
  'package.json': '{}',
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, lib: ['es2023'], noEmit: true },
    include: ['*.ts'],
  }),
  'price.ts': 'export function price(cents: number): number {\n  return cents;\n}\n',
  'cart.ts': "import { price } from './price';\n\nexport const total: number = price(1);\n",
};

test.skipIf(process.platform !== 'linux')(
  `${sessions} sessions leave no memory, process, handle or temporary file behind`,
  { timeout: 600_000 },
  async () => {
    await using workspace = await ScratchWorkspace.create(files);
    const temporary = await mkdtemp(join(tmpdir(), 'forerun-soak-'));
    {
      await using connection = await McpConnection.open({ env: { TMPDIR: temporary } });
      const round = (number: number): Promise<void> => oneSession(connection, workspace, number);
      await inTurn(0, settledAfter, round);
      const settled = await holdings(connection.pid);
      await inTurn(settledAfter, sessions, round);
      // What is only being read or put away at one look is held by nobody at a later one.
      await until(async () => {
        const end = await holdings(connection.pid);
        expect(end.processes).toEqual(settled.processes);
        expect(moreThan(settled.handles, end.handles)).toEqual([]);
        expect(end.bytes).toBeLessThan(settled.bytes * slack.ratio + slack.bytes);
      });
      const { json } = await connection.call('list_sessions');
      expect(json).toMatchObject({ sessions: [] });
    }
    expect(await readdir(temporary)).toEqual([]);
    await rm(temporary, { recursive: true });
  },
);

/** Every other session breaks the caller of what it edits. */
async function oneSession(
  connection: McpConnection,
  workspace: ScratchWorkspace,
  number: number,
): Promise<void> {
  const breaks = number % 2 === 0;
  const begun = await connection.call('create_simulation_session', {
    workspace_root: workspace.workspace.root,
    language: 'typescript',
  });
  const session_id = begun.json?.session_id;
  await connection.call('simulate_edit', {
    session_id,
    file_path: workspace.at('price.ts'),
    ...{ start_line: 1, start_column: 30, end_line: 1, end_column: 36 },
    new_text: `${breaks ? 'string' : 'number'} /* ${number} */`,
  });
  const { json } = await connection.call('evaluate_session', { session_id, scope: 'workspace' });
  expect(json).toMatchObject({ confidence: 'high', net_delta: breaks ? 2 : 0 });
  const { json: ended } = await connection.call('destroy_session', { session_id });
  expect(ended).toMatchObject({ status: 'destroyed' });
}

async function inTurn(from: number, to: number, round: (number: number) => Promise<void>): Promise<void> {
  let next = from;
  const walk = async (): Promise<void> => {
    while (next < to) await round(next++);
  };
  await Promise.all(Array.from({ length: abreast }, walk));
}

interface Holdings {
  readonly bytes: number;
  readonly processes: readonly string[];
  /** How many of each kind of handle the program has open. */
  readonly handles: Readonly<Record<string, number>>;
}

function moreThan(before: Holdings['handles'], after: Holdings['handles']): readonly string[] {
  return Object.entries(after).flatMap(([kind, count]) =>
    count > (before[kind] ?? 0) ? [`${kind}: ${count}`] : [],
  );
}

async function holdings(pid: number): Promise<Holdings> {
  const names = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  const handles: Record<string, number> = {};
  for (const target of targets.filter((each) => each !== '')) {
    const kind = target.replace(/:\[\d+\]$/, '');
    handles[kind] = (handles[kind] ?? 0) + 1;
  }
  const processes = await childrenOf(pid);
  return { bytes: (await residentBytes(pid)) ?? 0, processes, handles };
}

/** The ids of the processes below one. */
async function childrenOf(pid: number): Promise<readonly string[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return listed.trim().split(' ').sort();
}
