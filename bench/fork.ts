/** `npm run bench -- fork`: a second future costs nothing, whatever the size of the tree. */

import { editText, Overlay, readText } from '../src/overlay/overlay.ts';
import { Baseline } from '../src/workspace/baseline.ts';
import { DiskSource } from '../src/workspace/disk-source.ts';
import { Workspace } from '../src/workspace/workspace.ts';
import type { Bench } from './bench.ts';
import { ScratchFiles } from './support/bench-workspace.ts';
import { type Sampler, sampleInTurn, timed } from './support/measurement.ts';

const sizes = [1_000, 10_000, 100_000] as const;

/** One fork is too short for a clock, so a sample is the mean of many. */
const forksPerSample = 1000;

export const bench: Bench = {
  name: 'fork',
  claim: 'forking an overlay, writing to the fork and dropping it takes the same time in a tree of any size',
  goal: { kind: 'below', limit: 0.1, flatTimes: 3 },
  async *run(context, signal) {
    const [smallest, ...larger] = sizes;
    await using small = await ScratchFiles.write('tree', treeOf(smallest));
    const beside = await forkSampler(small.root);
    for (const size of larger) {
      context.progress(`writing a tree of ${size} files`);
      await using tree = await ScratchFiles.write('tree', treeOf(size));
      const measured = await sampleInTurn({ ours: await forkSampler(tree.root), beside }, plan, signal);
      yield {
        kind: 'measured',
        what: `fork + write + read + drop, ${size} files in the tree`,
        ours: measured.ours,
        beside: { what: `${smallest} files`, measurement: measured.beside },
      };
    }
  },
};

const plan = { warmUp: 10, rounds: 50 };

function treeOf(size: number): ReadonlyMap<string, string> {
  return new Map(
    Array.from({ length: size }, (_, at) => [
      `folder-${Math.floor(at / 100)}/file-${at}.ts`,
      `export const at = ${at};\n`,
    ]),
  );
}

/** Forks of an overlay that already holds ten changes, each written to and read back once. */
async function forkSampler(root: string): Promise<Sampler> {
  const workspace = await Workspace.open(root);
  const paths = Array.from({ length: 50 }, (_, at) => workspace.path(`folder-0/file-${at}.ts`));
  let parent = Overlay.on(new Baseline(new DiskSource(workspace)));
  for (const path of paths.slice(0, 10))
    parent = await editText(parent, path, (text) => `${text}// changed\n`);
  return async () => {
    const elapsedMs = await timed(async () => {
      for (let at = 0; at < forksPerSample; at++) {
        const path = paths[at % paths.length] ?? workspace.path('folder-0/file-0.ts');
        await readText(parent.writeText(path, `export const at = ${at};\n`), path);
      }
    });
    return elapsedMs / forksPerSample;
  };
}
