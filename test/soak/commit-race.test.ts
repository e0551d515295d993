/** Another process swaps directories for links while commits are made: nothing leads outside, and every answer is true. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { Failure } from '../../src/base/failure.ts';
import { commitOverlay, recoverCommits } from '../../src/overlay/commit/commit.ts';
import { editText, Overlay } from '../../src/overlay/overlay.ts';
import { Baseline } from '../../src/workspace/baseline.ts';
import { DiskSource } from '../../src/workspace/disk-source.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { childProgram } from '../support/child-program.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { rounds } from '../support/soak.ts';
import { describeTree } from '../support/tree-hash.ts';

const commits = rounds({ everyRun: 25, soak: 200 });
const mostCommits = 400;
const directories = ['one', 'two', 'three/deep'];
const swapper = childProgram('commit-swapper');

test(`${commits} commits during swaps write nothing outside and tell the truth`, {
  timeout: 400_000,
}, async () => {
  // The same contents outside: only the place tells a file of ours from one of theirs.
  const files = Object.fromEntries(
    directories.flatMap((directory) => [
      [`${directory}/changed.txt`, 'start\n'],
      [`${directory}/sub/changed.txt`, 'start\n'],
      [`${directory}/flips.txt`, 'there\n'],
    ]),
  );
  await using scratch = await ScratchWorkspace.create({ ...files, 'other.txt': 'start\n' });
  await using outside = await ScratchWorkspace.create(files);
  await using state = await ScratchWorkspace.create();
  await using swaps = new Swapper(scratch.workspace.root, outside.workspace.root);
  const options = {
    durability: 'process',
    onConflict: 'refuse',
    stateDirectory: state.workspace.root,
  } as const;
  const beforeOutside = await describeTree(outside.workspace.root);
  const answers = new Map<string, number>();
  // A race that is always won, or always lost, shows nothing: it goes on until it was both.
  const isShown = () => ['committed', 'conflict'].every((kind) => (answers.get(kind) ?? 0) > 5);
  for (let round = 0; round < commits || (round < mostCommits && !isShown()); round++) {
    const before = await describeTree(scratch.workspace.root);
    const overlay = await changes(scratch.workspace, round);
    // The baseline freezes what it has read: what the change is made on is the tree before the swaps.
    await overlay.changes();
    const after = await expected(overlay, scratch.workspace.root);
    swaps.go();
    const answer = await commitOverlay(scratch.workspace, overlay, options, never).then(
      ({ kind }) => kind,
      (thrown: unknown) => (thrown instanceof Failure ? thrown.code : Promise.reject(thrown)),
    );
    await swaps.pause();
    if (answer === 'overlay/commit-interrupted') await recoverCommits(scratch.workspace, options);
    const tree = await describeTree(scratch.workspace.root);
    expect(tree, `round ${round}: ${answer}`).toEqual(answer === 'committed' ? after : before);
    expect(await describeTree(outside.workspace.root), `round ${round}: ${answer}`).toEqual(beforeOutside);
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
  }
  process.stdout.write(`answers during swaps: ${JSON.stringify(Object.fromEntries(answers))}\n`);
  expect(await swaps.pause()).toBeGreaterThan(commits);
  expect(isShown()).toBe(true);
});

const never = new AbortController().signal;

/** Replaces, creates, deletes and makes directories in each of the directories that are swapped. */
async function changes(workspace: Workspace, round: number): Promise<Overlay> {
  let overlay = Overlay.on(new Baseline(new DiskSource(workspace)));
  for (const directory of directories) {
    const at = (name: string) => workspace.path(`${directory}/${name}`);
    overlay = await editText(overlay, at('changed.txt'), () => `round ${round}\n`);
    overlay = await editText(overlay, at('sub/changed.txt'), () => `round ${round}\n`);
    const flips = await overlay.read(at('flips.txt'));
    overlay = flips ? overlay.remove(at('flips.txt')) : overlay.writeText(at('flips.txt'), 'there\n');
    overlay = overlay.writeText(at('latest.txt'), `round ${round}\n`);
    overlay = overlay.writeText(at(`made-${round % 3}/file.txt`), `round ${round}\n`);
    if (round >= 2) overlay = overlay.remove(at(`made-${(round + 1) % 3}/file.txt`));
  }
  return overlay.writeText(workspace.path('other.txt'), `round ${round}\n`);
}

/** The tree after the commit, found out on a copy that no other process touches. */
async function expected(overlay: Overlay, root: string): Promise<string[]> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'forerun-race-')));
  try {
    await cp(root, join(directory, 'tree'), { recursive: true, verbatimSymlinks: true });
    const copy = await Workspace.open(join(directory, 'tree'));
    const base = new Baseline(new DiskSource(copy));
    const layer = overlay.layer();
    const same = Overlay.on(base, { layer });
    const options = {
      durability: 'process',
      onConflict: 'refuse',
      stateDirectory: join(directory, 'state'),
    } as const;
    expect(await commitOverlay(copy, same, options, never)).toMatchObject({ kind: 'committed' });
    return await describeTree(copy.root);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** The process that swaps; between `go` and the end of `pause` the tree belongs to it. */
class Swapper implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(root: string, outside: string) {
    const words = [swapper, root, outside, '7', ...directories];
    this.#child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  go(): void {
    this.#child.stdin.write('go\n');
  }

  /** Answers how many swaps there were so far. */
  async pause(): Promise<number> {
    this.#child.stdin.write('pause\n');
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`the swapper ended: ${this.#child.stderr.read()}`);
    return Number(value);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }
}
