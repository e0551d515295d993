import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitOverlay, recoverCommits } from '../../src/overlay/commit/commit.ts';
import { mapConcurrently } from '../../src/workspace/concurrency.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { childProgram } from '../support/child-program.ts';
import { scenarioOverlay, writeScenarioTree } from '../support/commit-scenario.ts';
import { describeTree } from '../support/tree-hash.ts';

const child = childProgram('commit-child');

// Some sixty processes are started one after the other, each to be killed one step later than the last.
const patience = { timeout: 400_000 };

interface Place {
  readonly root: string;
  readonly stateDirectory: string;
}

test(
  'a commit killed at any step leaves, once recovered, the tree before or the tree after',
  patience,
  async () => {
    const before = await inScratch(({ root }) => describeTree(root));
    const whole = await inScratch(async (place) => ({
      ran: await run(place, 0),
      tree: await describeTree(place.root),
    }));
    const { outcome, steps } = JSON.parse(whole.ran.stdout);
    expect(outcome).toBe('committed');

    const killed = Array.from({ length: steps }, (_, index) => index + 1);
    const outcomes = await mapConcurrently(killed, 2, (step) =>
      inScratch(async (place) => {
        expect(await run(place, step), `step ${step}`).toMatchObject({ signal: 'SIGKILL' });
        const { warnings } = await recoverCommits(await Workspace.open(place.root), place);
        expect(warnings, `step ${step}`).toEqual([]);
        expect(await journalsIn(place), `step ${step}`).toEqual([]);
        const tree = await describeTree(place.root);
        const isAfter = tree.join('\n') === whole.tree.join('\n');
        if (!isAfter) expect(tree, `step ${step}`).toEqual(before);
        return isAfter ? 'after' : 'before';
      }),
    );
    expect(new Set(outcomes)).toEqual(new Set(['before', 'after']));
    // Once past the commit point, never back.
    expect(outcomes).toEqual([...outcomes].sort((a, b) => b.localeCompare(a)));
  },
);

test('a commit first undoes what a killed one left half done', async () => {
  await inScratch(async (place) => {
    const workspace = await Workspace.open(place.root);
    const overlay = await scenarioOverlay(workspace);
    await overlay.changes();
    expect(await run(place, 36)).toMatchObject({ signal: 'SIGKILL' });
    const options = { durability: 'process', onConflict: 'refuse', ...place } as const;
    const outcome = await commitOverlay(workspace, overlay, options, new AbortController().signal);
    expect(outcome).toMatchObject({
      kind: 'committed',
      warnings: [expect.stringContaining('an interrupted commit was undone first')],
    });
    expect(await recoverCommits(workspace, place)).toEqual({
      finished: 0,
      undone: [],
      kept: [],
      warnings: [],
    });
  });
});

async function inScratch<T>(use: (place: Place) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'forerun-crash-'));
  const place = { root: join(directory, 'tree'), stateDirectory: join(directory, 'state') };
  try {
    await writeScenarioTree(place.root);
    return await use(place);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Journals, locks and whatever else is kept of commits. A kill before the lock leaves at most empty directories. */
async function journalsIn({ stateDirectory }: Place): Promise<readonly string[]> {
  const entries = await readdir(stateDirectory, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => !entry.isDirectory() && entry.name !== 'lock').map(({ name }) => name);
}

function run(
  { root, stateDirectory }: Place,
  fatal: number,
): Promise<{ stdout: string; signal: string | null }> {
  return new Promise((resolve, reject) => {
    const words = [child, root, stateDirectory, String(fatal)];
    execFile(process.execPath, words, (error, stdout, stderr) => {
      if (error !== null && typeof error.signal !== 'string') reject(new Error(stderr, { cause: error }));
      else resolve({ stdout, signal: error?.signal ?? null });
    });
  });
}
