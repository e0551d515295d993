import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitOverlay, recoverCommits } from '../../src/overlay/commit.ts';
import { mapConcurrently } from '../../src/workspace/concurrency.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { scenarioOverlay, writeScenarioTree } from '../support/commit-scenario.ts';
import { describeTree } from '../support/tree-hash.ts';

const child = join(import.meta.dirname, '../support/commit-child.ts');

// Some fifty processes are started one after the other, each to be killed one step later than the last.
const patience = { timeout: 400_000 };

test(
  'a commit killed at any step leaves, once recovered, the tree before or the tree after',
  patience,
  async () => {
    const before = await inScratch((root) => describeTree(root));
    const whole = await inScratch(async (root) => ({
      ran: await run(root, 0),
      tree: await describeTree(root),
    }));
    const { outcome, steps } = JSON.parse(whole.ran.stdout);
    expect(outcome).toBe('committed');

    const killed = Array.from({ length: steps }, (_, index) => index + 1);
    const outcomes = await mapConcurrently(killed, 2, (step) =>
      inScratch(async (root) => {
        expect(await run(root, step), `step ${step}`).toMatchObject({ signal: 'SIGKILL' });
        await recoverCommits(await Workspace.open(root));
        const tree = await describeTree(root);
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
  await inScratch(async (root) => {
    const workspace = await Workspace.open(root);
    const overlay = await scenarioOverlay(workspace);
    await overlay.changes();
    expect(await run(root, 30)).toMatchObject({ signal: 'SIGKILL' });
    const options = { durability: 'process', onConflict: 'refuse' } as const;
    const outcome = await commitOverlay(workspace, overlay, options, new AbortController().signal);
    expect(outcome).toMatchObject({
      kind: 'committed',
      warnings: [expect.stringContaining('an interrupted commit was undone first')],
    });
    expect(await recoverCommits(workspace)).toEqual({ finished: 0, undone: [], kept: [] });
  });
});

async function inScratch<T>(use: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'forerun-crash-'));
  try {
    await writeScenarioTree(root);
    return await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

function run(root: string, fatal: number): Promise<{ stdout: string; signal: string | null }> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--import', 'tsx', child, root, String(fatal)], (error, stdout, stderr) => {
      if (error !== null && typeof error.signal !== 'string') reject(new Error(stderr, { cause: error }));
      else resolve({ stdout, signal: error?.signal ?? null });
    });
  });
}
