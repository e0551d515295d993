/**
 * `npm run bench -- git`: verdicts on what git holds, against checking it out and compiling it.
 *
 * Invariant: both sides of a line come to the same verdict, or the line is not held.
 */
import { cp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { GitRepository } from '../src/git/git-repository.ts';
import { changesOverlay, treeOverlay } from '../src/git/repository-overlay.ts';
import { Overlay } from '../src/overlay/overlay.ts';
import { runCommand } from '../src/process/run-command.ts';
import { resolveEmbedded } from '../src/servers/embedded-server.ts';
import { DiskSource } from '../src/workspace/disk-source.ts';
import { Workspace } from '../src/workspace/workspace.ts';
import { runProgram } from '../test/support/built-program.ts';
import { commitAll, gitIn } from '../test/support/git-workspace.ts';
import type { Bench, Line } from './bench.ts';
import type { BenchContext } from './support/bench-context.ts';
import { ScratchFiles } from './support/bench-workspace.ts';
import type { GeneratedWorkspace } from './support/generated-workspace.ts';
import { type Sampler, sampleInTurn, timed } from './support/measurement.ts';
import { mergeBranches, mergeMatrix } from './support/merge-branches.ts';
import { editedText } from './support/sample-edit.ts';

const require = createRequire(import.meta.url);

const compilers = {
  typescript: { what: 'tsc --noEmit (7, native)', rounds: 5 },
  python: { what: 'pyright', rounds: 1 },
} as const;

type Language = keyof typeof compilers;

export const bench: Bench = {
  name: 'git',
  claim:
    'what is not committed, or not merged yet, is judged from process start to exit faster than by checking out and compiling',
  goal: { kind: 'faster', times: 2 },
  async *run(context, signal) {
    for (const language of ['typescript', 'python'] as const) {
      await using tree = await committedCopy(await context.generated(language));
      yield* uncommitted({ context, tree, language }, signal);
    }
    await using tree = await committedCopy(await context.generated('typescript'));
    yield await fromObjects({ context, tree }, signal);
    yield await matrix({ context, tree }, signal);
  },
};

interface Place {
  readonly context: BenchContext;
  readonly tree: CommittedCopy;
}

/** A generated workspace as a repository with one commit. */
interface CommittedCopy extends AsyncDisposable {
  readonly root: string;
  readonly workspace: GeneratedWorkspace;
}

async function committedCopy(workspace: GeneratedWorkspace): Promise<CommittedCopy> {
  const copy = await ScratchFiles.write('git', new Map());
  await cp(workspace.root, copy.root, { recursive: true });
  await commitAll(copy.root);
  return { root: copy.root, workspace, [Symbol.asyncDispose]: () => copy[Symbol.asyncDispose]() };
}

async function* uncommitted(
  { context, tree, language }: Place & { readonly language: Language },
  signal: AbortSignal,
): AsyncGenerator<Line> {
  const { root, workspace } = tree;
  const { what: compilerName, rounds } = compilers[language];
  const size = `${workspace.patch.length} of ${workspace.files} files`;
  const change = async (round: number) => {
    for (const edit of workspace.patch) await writeFile(join(root, edit.path), editedText(edit, round));
  };
  const plan = { warmUp: 0, rounds };
  context.progress(`${language}: uncommitted changes`);
  const unstaged = await sampleInTurn(
    {
      ours: async (round) => {
        await change(round);
        return timed(() => expectBroken(root, []));
      },
      beside: async (round) => {
        await change(round);
        return timed(async () => {
          await isClean(language, root, signal);
          await gitIn(root, 'stash', '-q');
          await isClean(language, root, signal);
          await gitIn(root, 'stash', 'pop', '-q');
        });
      },
    },
    plan,
    signal,
  );
  yield {
    kind: 'measured',
    what: `${language}, whatif on uncommitted changes, ${size}`,
    ours: unstaged.ours,
    beside: {
      what: `${compilerName}, git stash, ${compilerName}, git stash pop`,
      measurement: unstaged.beside,
    },
  };
  context.progress(`${language}: staged changes`);
  const stage: (judge: () => Promise<unknown>) => Sampler = (judge) => async (round) => {
    await change(round);
    await gitIn(root, 'add', '-A');
    return timed(judge);
  };
  const staged = await sampleInTurn(
    {
      ours: stage(() => expectBroken(root, ['--staged'])),
      beside: stage(() => isClean(language, root, signal)),
    },
    plan,
    signal,
  );
  await gitIn(root, 'reset', '-q', '--hard');
  yield {
    kind: 'measured',
    what: `${language}, whatif --staged as a pre-commit hook, ${size}`,
    ours: staged.ours,
    beside: {
      what: `${compilerName} once, which cannot tell old errors from new ones`,
      measurement: staged.beside,
    },
    goal: { kind: 'within', times: 2, plusMs: 0 },
  };
}

/** The contents of a branch as an overlay, against a checkout of it. */
async function fromObjects({ context, tree: { root } }: Place, signal: AbortSignal): Promise<Line> {
  const count = 1000;
  context.progress(`${count} files from git objects`);
  const listed = (await gitIn(root, 'ls-files', '-z', '*.ts')).split('\0').filter((path) => path !== '');
  await gitIn(root, 'checkout', '-q', '-b', 'wide');
  for (const path of listed.slice(0, count))
    await writeFile(join(root, path), `export const changed = '${path}';\n`);
  await gitIn(root, 'commit', '-q', '-a', '-m', 'wide');
  await gitIn(root, 'checkout', '-q', 'main');
  const workspace = await Workspace.open(root);
  let built = 0;
  const { ours, beside } = await sampleInTurn(
    {
      ours: () =>
        timed(async () => {
          const repository = await GitRepository.at(root, process.env, signal);
          const disk = Overlay.on(new DiskSource(workspace));
          const base = await treeOverlay(repository, { tree: 'main', workspace, disk }, signal);
          const overlay = await changesOverlay(
            repository,
            { from: 'main', to: 'wide', workspace, base },
            signal,
          );
          built = (await overlay.changes('stack')).length;
        }),
      beside: async () => {
        const elapsedMs = await timed(() => gitIn(root, 'checkout', '-q', 'wide'));
        await gitIn(root, 'checkout', '-q', 'main');
        return elapsedMs;
      },
    },
    { warmUp: 1, rounds: 9 },
    signal,
  );
  return {
    kind: 'measured',
    what: `a branch with ${count} changed files as an overlay, in process`,
    ours,
    beside: { what: 'git checkout of the branch', measurement: beside },
    goal: { kind: 'within', times: 2, plusMs: 0 },
    ...(built !== count && { shortfall: `the overlay has ${built} changes` }),
  };
}

/** Ten branches, each alone and every two of them. */
async function matrix({ context, tree: { root } }: Place, signal: AbortSignal): Promise<Line> {
  context.progress('ten branches, each alone and every two of them');
  const branches = await mergeBranches(root);
  const found = { ours: '', beside: '' };
  const { ours, beside } = await sampleInTurn(
    {
      ours: () =>
        timed(async () => {
          const run = await runProgram(['whatif', '--merge', ...branches, '--json'], { cwd: root });
          const { pairs } = JSON.parse(run.stdout);
          const broken = pairs.filter(({ outcome }: { outcome: string }) => outcome !== 'clean');
          found.ours = broken
            .map(({ sides }: { sides: readonly string[] }) => sides.join('+'))
            .sort()
            .join(' ');
        }),
      beside: () =>
        timed(async () => {
          found.beside = (await mergeMatrix(root, branches, () => isClean('typescript', root, signal))).join(
            ' ',
          );
        }),
    },
    { warmUp: 0, rounds: 1 },
    signal,
  );
  return {
    kind: 'measured',
    what: `typescript, whatif --merge of ${branches.length} branches: ${branches.length} alone, 45 pairs, the longest clean train`,
    ours,
    beside: {
      what: `checkout, git merge and ${compilers.typescript.what} of each branch and pair`,
      measurement: beside,
    },
    note: `colliding pairs: ${found.ours}`,
    ...(found.ours !== found.beside && { shortfall: `the compiler finds ${found.beside}` }),
  };
}

async function expectBroken(root: string, words: readonly string[]): Promise<void> {
  const run = await runProgram(['whatif', ...words, '--json'], { cwd: root });
  if (run.code !== 1) throw new Error(`whatif ended with ${run.code}: ${run.stderr.slice(0, 400)}`);
}

async function isClean(language: Language, root: string, signal: AbortSignal): Promise<boolean> {
  const command =
    language === 'typescript'
      ? [resolveEmbedded('typescript')[0] ?? 'tsc', '--noEmit', '-p', root]
      : [process.execPath, require.resolve('pyright/index.js'), '-p', root];
  const limits = { cwd: '/', env: process.env, timeoutMs: 300_000, maxOutputBytes: 1_000_000 };
  return (await runCommand({ command, ...limits }, signal)).code === 0;
}
