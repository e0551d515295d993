/** `npm run bench -- fork`: a second future costs nothing, whatever the size of the tree. */

import { Overlay } from '../src/overlay/overlay.ts';
import { Baseline } from '../src/workspace/baseline.ts';
import { DiskSource } from '../src/workspace/disk-source.ts';
import { Workspace } from '../src/workspace/workspace.ts';
import type { Bench } from './bench.ts';
import { ScratchFiles } from './support/bench-workspace.ts';
import { type Measurement, sample, timed } from './support/measurement.ts';

const sizes = [1_000, 10_000, 100_000] as const;

/** One fork is too short for a clock, so a sample is the mean of many. */
const forksPerSample = 1000;

export const fork: Bench = {
  name: 'fork',
  claim: 'forking an overlay, writing to the fork and dropping it takes the same time in a tree of any size',
  goal: { kind: 'below', limit: 0.1, flatTimes: 3 },
  async *run(context, signal) {
    let smallest: Measurement | undefined;
    for (const size of sizes) {
      context.progress(`writing a tree of ${size} files`);
      await using tree = await ScratchFiles.write('tree', treeOf(size));
      const ours = await measureForks(tree.root, signal);
      smallest ??= ours;
      yield {
        kind: 'measured',
        what: `fork + write + drop, ${size} files in the tree`,
        ours,
        ...(ours !== smallest && { beside: { what: `${sizes[0]} files`, measurement: smallest } }),
      };
    }
  },
};

function treeOf(size: number): ReadonlyMap<string, string> {
  return new Map(
    Array.from({ length: size }, (_, at) => [
      `folder-${Math.floor(at / 100)}/file-${at}.ts`,
      `export const at = ${at};\n`,
    ]),
  );
}

/** Forks of an overlay that already holds ten changes, each written to and read back once. */
async function measureForks(root: string, signal: AbortSignal): Promise<Measurement> {
  const workspace = await Workspace.open(root);
  const path = (at: number) => workspace.path(`folder-0/file-${at}.ts`);
  let parent = Overlay.on(new Baseline(new DiskSource(workspace)));
  for (let at = 0; at < 10; at++) parent = await parent.editText(path(at), (text) => `${text}// changed\n`);
  const sampler = async (): Promise<number> => {
    const elapsedMs = await timed(async () => {
      for (let at = 0; at < forksPerSample; at++) {
        const forked = parent.writeText(path(at % 50), `export const at = ${at};\n`);
        await forked.readText(path(at % 50));
      }
    });
    return elapsedMs / forksPerSample;
  };
  return sample(sampler, { warmUp: 10, rounds: 50 }, signal);
}
