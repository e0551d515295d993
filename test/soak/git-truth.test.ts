/**
 * Every form in which git holds a change is judged as the compiler judges a real checkout of it, before and after:
 * uncommitted, staged, a commit, ranges, a branch, a working tree, a stash. Nothing missed, nothing invented.
 */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutProgress } from '../support/built-program.ts';
import { GitWorkspace, gitIn } from '../support/git-workspace.ts';
import { runInProcess } from '../support/in-process-program.ts';
import { below, compiledLanguages, directoryOf } from '../support/merge/compiled-language.ts';
import { baseProgram, branchOf, filesOf } from '../support/merge/generated-branch.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { rounds } from '../support/soak.ts';
import type { Problem } from '../support/truth/problem.ts';

type Files = Readonly<Record<string, string>>;

test.each(compiledLanguages)(
  '$name: what git holds',
  { timeout: 900_000 },
  async ({ name, syntax, root, compile }) => {
    const random = SeededRandom.fromEnvironment();
    const base = baseProgram();
    await using tree = await GitWorkspace.create({ ...root, ...below('package', filesOf(base, syntax)) });
    await using copies = await ScratchWorkspace.create({});
    await cp(tree.at('package'), copies.at('base'), { recursive: true });
    const branches: { readonly branch: string; readonly files: Files }[] = [];
    // Each judgement starts a server of its own, as on the command line; that of Python takes seconds.
    const soak = name === 'python' ? 3 : 6;
    for (let at = 0; at < rounds({ everyRun: 1, soak }); at++) {
      const branch = `branch-${at}`;
      const changed = branchOf(base, `B${at}`, random);
      // A call that breaks another file, now and then: a branch of the generator updates every call it can see.
      const [first] = changed.calls;
      const calls =
        at % 2 === 0 && first ? [{ ...first, arguments: 0 }, ...changed.calls.slice(1)] : changed.calls;
      branches.push({ branch, files: below('package', filesOf({ ...changed, calls }, syntax)) });
    }
    for (const { branch, files } of branches) {
      await tree.git('checkout', '-q', '-b', branch, 'main');
      await fill(tree.root, files);
      await cp(tree.at('package'), copies.at(directoryOf(branch)), { recursive: true });
      await tree.git('add', '-A');
      await tree.git('commit', '-q', '--allow-empty', '-m', branch);
      await tree.git('checkout', '-q', 'main');
    }
    const problems = (await compile(copies.workspace.root)).filter(({ severity }) => severity === 'error');
    const counts = { judged: 0, broken: 0 };
    for (const { branch, files } of branches) {
      const there = of(problems, directoryOf(branch));
      const expected = introducedBy(of(problems, 'base'), there);
      for await (const [form, words] of forms(tree, { branch, files })) {
        const run = withoutProgress(
          await runInProcess(['whatif', ...words, '--json'], { cwd: tree.root, input: '' }),
        );
        if (run.stdout === '') {
          // The branch may have nothing to judge.
          expect([form, run.code, await tree.git('diff', '--stat', 'main', branch)], run.stderr).toEqual([
            form,
            2,
            '',
          ]);
          continue;
        }
        const { verdict, evaluations } = JSON.parse(run.stdout);
        const found = evaluations.flatMap((each: { errors_introduced: Found[] }) =>
          each.errors_introduced.map(placeOf(tree.root)),
        );
        expect([form, verdict, found.sort()]).toEqual([
          form,
          expected.length > 0 ? 'broken' : 'clean',
          expected,
        ]);
        counts.judged++;
        if (verdict === 'broken') counts.broken++;
      }
      expect(await tree.git('status', '--porcelain')).toBe('');
    }
    console.log(`${name}: ${counts.judged} changes judged, ${counts.broken} of them broken`);
  },
);

/** The ways to ask about one branch; the working tree is made ready for each, and clean again at the end. */
async function* forms(
  tree: GitWorkspace,
  { branch, files }: { readonly branch: string; readonly files: Files },
): AsyncGenerator<readonly [form: string, words: readonly string[]]> {
  yield ['commit', [`${branch}~0`]];
  yield ['range', [`main..${branch}`]];
  yield ['pull request', [`main...${branch}`]];
  yield ['branch', [branch]];
  await fill(tree.root, files);
  yield ['uncommitted', []];
  await tree.git('add', '-A');
  yield ['staged', ['--staged']];
  const hasChanges = (await tree.git('status', '--porcelain')) !== '';
  await tree.git('stash', '-q', '-u');
  if (hasChanges) {
    yield ['stash', ['stash@{0}']];
    await tree.git('stash', 'drop', '-q');
  }
  await using place = await ScratchWorkspace.create({});
  const other = place.at('other');
  await tree.git('worktree', 'add', '-q', '--detach', other, 'main');
  await fill(other, files);
  yield ['working tree', [other]];
  await gitIn(other, 'add', '-A');
  await gitIn(other, 'commit', '-q', '--allow-empty', '-m', 'there');
  yield ['working tree with a commit', [other]];
  await tree.git('worktree', 'remove', '--force', other);
}

async function fill(root: string, files: Files): Promise<void> {
  await rm(join(root, 'package'), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** The problems of one copy, at their paths in the repository. */
function of(problems: readonly Problem[], copy: string): readonly Problem[] {
  return problems.flatMap((problem) => {
    const [directory = '', ...rest] = problem.path.split('/');
    return directory === copy ? [{ ...problem, path: ['package', ...rest].join('/') }] : [];
  });
}

function introducedBy(before: readonly Problem[], after: readonly Problem[]): readonly string[] {
  const known = new Set(before.map(({ path, message }) => `${path} ${message}`));
  return after
    .filter(({ path, message }) => !known.has(`${path} ${message}`))
    .map(({ path, line, column, code }) => `${path}:${line}:${column} ${code}`)
    .sort();
}

interface Found {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  readonly code: number | string;
}

function placeOf(root: string): (found: Found) => string {
  return ({ file, line, col, code }) => `${file.slice(root.length + 1)}:${line}:${col} ${code}`;
}
