/** `npm run bench -- commit`: what it costs that a commit is whole or not at all, even when the power goes. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { commitOverlay } from '../src/overlay/commit/commit.ts';
import { Overlay } from '../src/overlay/overlay.ts';
import { Baseline } from '../src/workspace/baseline.ts';
import { mapConcurrently } from '../src/workspace/concurrency.ts';
import { DiskSource } from '../src/workspace/disk-source.ts';
import { Workspace } from '../src/workspace/workspace.ts';
import type { Bench } from './bench.ts';
import { ScratchFiles } from './support/bench-workspace.ts';
import { type Sampler, sampleInTurn, timed } from './support/measurement.ts';

const fileCount = 1000;

export const bench: Bench = {
  name: 'commit',
  claim:
    'a commit of 1,000 files, all or none across a loss of power, costs little more than writing and flushing them',
  goal: { kind: 'within', times: 2, plusMs: 0 },
  async *run(context, signal) {
    context.progress(`writing ${2 * samples} trees of ${fileCount} files`);
    await using trees = await ScratchFiles.write('commit', forest());
    const { ours, beside } = await sampleInTurn(
      { ours: commitFiles(trees.root, signal), beside: writeFiles(trees.root) },
      plan,
      signal,
    );
    yield {
      kind: 'measured',
      what: `${fileCount} files replaced, durable across a loss of power`,
      ours,
      beside: { what: 'written + fsynced, 16 at a time', measurement: beside },
    };
  },
};

const plan = { warmUp: 1, rounds: 9 } as const;
const samples = plan.warmUp + plan.rounds;

/**
 * Every sample has its own tree, and no tree is removed before the last sample: ext4 reuses the inode numbers of removed
 * files only after minutes, and until then every creation of a file has to skip them.
 */
function forest(): ReadonlyMap<string, string> {
  const trees = Array.from({ length: samples }, (_, round) => [`ours-${round}`, `beside-${round}`]).flat();
  return new Map(
    trees.flatMap((tree) => [...files(-1)].map(([path, text]) => [`${tree}/${path}`, text] as const)),
  );
}

function files(round: number): ReadonlyMap<string, string> {
  const body = 'export const line = "a line of ordinary length in a file";\n'.repeat(25);
  return new Map(
    Array.from({ length: fileCount }, (_, at) => [
      `folder-${Math.floor(at / 50)}/file-${at}.ts`,
      `// ${round}\n${body}`,
    ]),
  );
}

/** The overlay is made ahead of the clock: what is measured is making it real. */
function commitFiles(root: string, signal: AbortSignal): Sampler {
  return async (round) => {
    const workspace = await Workspace.open(join(root, `ours-${round}`));
    const base = new Baseline(new DiskSource(workspace));
    const written = [...files(round)].map(([path, text]) => [workspace.path(path), text] as const);
    for (const [path] of written) await base.read(path);
    const overlay = Overlay.on(base).writeAll(
      written.map(([path, text]) => [path, { kind: 'text', text }] as const),
    );
    return timed(async () => {
      const options = {
        durability: 'power',
        onConflict: 'refuse',
        stateDirectory: join(root, 'state'),
      } as const;
      const outcome = await commitOverlay(workspace, overlay, options, signal);
      if (outcome.kind !== 'committed' || outcome.written.length !== fileCount) {
        throw new Error(`the commit ended as ${outcome.kind}`);
      }
    });
  };
}

function writeFiles(root: string): Sampler {
  return (round) => {
    const written = [...files(round)];
    return timed(() =>
      mapConcurrently(written, 16, async ([path, text]) => {
        await using handle = await open(join(root, `beside-${round}`, path), 'w');
        await handle.writeFile(text);
        await handle.sync();
      }),
    );
  };
}
