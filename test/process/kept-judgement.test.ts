import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { soakVariable } from '../support/soak.ts';
import { keptJudgement } from '../support/truth/kept-judgement.ts';

const wrong = { path: 'a.py', line: 1, column: 1, severity: 'error', code: 'x', message: 'no' } as const;

/** How often the compiler is asked of these trees, one after the other. */
async function timesAsked(...trees: readonly unknown[]): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'forerun-kept-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  let asked = 0;
  for (const tree of trees) {
    const judge = async () => {
      asked += 1;
      return [[wrong]];
    };
    expect(await keptJudgement(tree, judge, directory)).toEqual([[wrong]]);
  }
  return asked;
}

test('a compiler is asked once of the same trees, and again of others', async () => {
  const tree = [{ 'a.py': 'x = 1\n' }];
  expect(await timesAsked(tree, structuredClone(tree))).toBe(1);
  expect(await timesAsked(tree, [{ 'a.py': 'x = 2\n' }])).toBe(2);
  expect(await timesAsked({ python: tree }, { typescript: tree })).toBe(2);
});

test('a soak asks the compiler every time', async () => {
  vi.stubEnv(soakVariable, 'on');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await timesAsked('tree', 'tree')).toBe(2);
});

test('a judgement of more than a month ago is not used, and its file is removed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'forerun-kept-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const day = 24 * 60 * 60;
  for (const [name, ageDays] of [
    ['old', 31],
    ['recent', 29],
  ] as const) {
    const file = join(directory, `${name}.json`);
    await writeFile(file, '[]');
    await utimes(file, Date.now() / 1000, Date.now() / 1000 - ageDays * day);
  }
  await keptJudgement('tree', async () => [], directory);
  expect(await readdir(directory)).toEqual(expect.arrayContaining(['recent.json']));
  expect(await readdir(directory)).not.toContain('old.json');
});
