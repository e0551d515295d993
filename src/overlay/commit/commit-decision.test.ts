/** Commits that are bound to a decision. */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { testState } from '../../../test/support/commit-state.ts';
import { ScratchWorkspace } from '../../../test/support/scratch-workspace.ts';
import { describeTree } from '../../../test/support/tree-hash.ts';
import { Baseline } from '../../workspace/baseline.ts';
import { DiskSource } from '../../workspace/disk-source.ts';
import { Overlay } from '../overlay.ts';
import { commitOverlay, recoverCommits } from './commit.ts';
import { isDecided } from './commit-decision.ts';

const never = new AbortController().signal;
const mark = 'the-mark';

describe('a commit with a decision', () => {
  test.each([
    ['is written', `{"id":"${mark}"}\n`, 'on', 'new'],
    ['is written by somebody who fails after it', `{"id":"${mark}"}\n`, 'fail', 'new'],
    ['fails before it is written', '', 'fail', 'old'],
    ['is cut short', `{"id":"${mark}"}`, 'fail', 'old'],
  ] as const)('that %s leaves the files to match', async (_name, line, then, expected) => {
    await using scratch = await ScratchWorkspace.create({ 'a.txt': 'old' });
    await using state = await ScratchWorkspace.create({ 'record.jsonl': '{"id":"another"}\n' });
    const stateDirectory = state.workspace.root;
    const record = state.at('record.jsonl');
    const seen: string[] = [];
    const decide = async (): Promise<void> => {
      seen.push(await readFile(scratch.at('a.txt'), 'utf8'));
      await appendFile(record, line);
      if (then === 'fail') throw new Error('the disk is full');
    };
    const outcome = await commit(scratch, { place: { record, mark }, decide }, stateDirectory).catch(
      () => 'failed',
    );
    expect(seen).toEqual(['new']);
    expect(await readFile(scratch.at('a.txt'), 'utf8')).toBe(expected);
    expect(outcome).toEqual(expected === 'new' ? expect.objectContaining({ kind: 'committed' }) : 'failed');
    expect(await describeTree(scratch.workspace.root)).toHaveLength(1);
    expect(await recoverCommits(scratch.workspace, { stateDirectory })).toEqual({
      finished: 0,
      undone: [],
      kept: [],
      warnings: [],
    });
  });

  test('that has no place to stand is undone when it fails', async () => {
    await using scratch = await ScratchWorkspace.create({ 'a.txt': 'old' });
    const decide = () => Promise.reject(new Error('no'));
    await expect(commit(scratch, { decide })).rejects.toThrow(/no/);
    expect(await readFile(scratch.at('a.txt'), 'utf8')).toBe('old');
  });

  test('that changes no file is decided all the same', async () => {
    await using scratch = await ScratchWorkspace.create({ 'a.txt': 'new' });
    let decided = 0;
    const decide = async (): Promise<void> => {
      decided += 1;
    };
    expect(await commit(scratch, { decide })).toMatchObject({ kind: 'committed', written: [] });
    expect(decided).toBe(1);
  });
});

test.each([
  ['a whole line', `{"id":"${mark}"}\n`, true],
  ['a whole line before half a one', `{"id":"${mark}"}\n{"ki`, true],
  ['half a line', `{}\n{"id":"${mark}"}`, false],
  ['nothing', '', false],
])('%s tells whether it was decided', async (_name, text, expected) => {
  await using state = await ScratchWorkspace.create();
  const record = state.at('record.jsonl');
  await writeFile(record, text);
  expect(await isDecided({ record, mark })).toBe(expected);
  expect(await isDecided({ record: state.workspace.root, mark })).toBe(false);
  expect(await isDecided({ record: state.at('gone'), mark })).toBe(false);
});

function commit(
  { workspace }: ScratchWorkspace,
  decision: NonNullable<Parameters<typeof commitOverlay>[2]['decision']>,
  stateDirectory = testState.stateDirectory,
): ReturnType<typeof commitOverlay> {
  const overlay = Overlay.on(new Baseline(new DiskSource(workspace)));
  const changed = overlay.writeText(workspace.path('a.txt'), 'new');
  const options = { durability: 'process', onConflict: 'refuse', decision, stateDirectory } as const;
  return commitOverlay(workspace, changed, options, never);
}
