/** Through random changes to its files, references from the cache are the references a server would give. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Dialect,
  Dice,
  Living,
  pythonDialect,
  said,
  typescriptDialect,
} from '../support/reference-walk.ts';
import { rounds } from '../support/soak.ts';
import { ToolWorld } from '../support/tool-world.ts';

let caches = '';
beforeAll(async () => {
  caches = await realpath(await mkdtemp(join(tmpdir(), 'forerun-caches-')));
});
afterAll(async () => {
  await rm(caches, { recursive: true, force: true });
});

async function compareThrough(
  dialect: Dialect,
  steps: number,
  seed: number,
): Promise<{ hits: number; asked: number }> {
  await using cached = await ToolWorld.open(dialect.files, { cacheDirectory: caches });
  const { root } = cached.world;
  await using live = await ToolWorld.open({}, { root });
  const living = new Living(root, dialect, new Dice(seed));
  const history: string[] = [];
  let hits = 0;
  let asked = 0;
  for (let step = 0; step < steps; step++) {
    history.push(await living.happen());
    for (const question of dialect.questions) {
      const args = { ...question, file_path: join(root, question.file_path ?? '') };
      const answers = [
        await cached.call('find_references', args),
        await live.call('find_references', args),
      ] as const;
      // One of them may still be reading what the other has read; that it says so is no other answer.
      if (answers.some(({ meta }) => meta.code === 'tools/still-indexing')) continue;
      expect(
        said(answers[0]),
        `${question.position_pattern} after ${history.slice(-4).join(', ')} (step ${step})`,
      ).toEqual(said(answers[1]));
      asked += 1;
      if (answers[0].meta.cached !== undefined) hits += 1;
    }
    if (step % 50 === 49) {
      await using fresh = await ToolWorld.open({}, { root });
      for (const question of dialect.questions) {
        const args = { ...question, file_path: join(root, question.file_path ?? '') };
        expect(said(await cached.call('find_references', args)), `a new server, step ${step}`).toEqual(
          said(await fresh.call('find_references', args)),
        );
      }
    }
    if (step % 10 !== 9) continue;
    const args = { changed_files: [join(root, dialect.core)] };
    expect(
      said(await cached.call('blast_radius', args)),
      `blast_radius after ${history.at(-1)} (step ${step})`,
    ).toEqual(said(await live.call('blast_radius', args)));
  }
  return { hits, asked };
}

describe('through random changes the cached answer is the live one', () => {
  test('TypeScript', { timeout: 300_000 }, async () => {
    const steps = rounds({ everyRun: 25, soak: 200 });
    const { hits, asked } = await compareThrough(typescriptDialect, steps, 7);
    expect(asked).toBe(4 * steps);
    expect(hits).toBeGreaterThan(0.4 * steps);
  });

  // Its server takes in a new file a second late, and nothing is kept meanwhile.
  test('Python', { timeout: 300_000 }, async () => {
    const { hits } = await compareThrough(pythonDialect, rounds({ everyRun: 4, soak: 20 }), 11);
    expect(hits).toBeGreaterThan(0);
  });
});
