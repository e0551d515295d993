/** `forerun whatif --merge --watch`: what the working trees of a repository compose to, while they are worked on. */
import { getEventListeners } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { watchMerge } from '../../src/host/check/merge-watch.ts';
import { Forerun } from '../../src/host/forerun.ts';
import { GitWorkspace } from '../support/git-workspace.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';

test('every change of a working tree is judged, also in trees that are added, and nothing is judged twice', async () => {
  await using tree = await GitWorkspace.create({
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, lib: ['es2023'], noEmit: true, module: 'preserve', types: [] },
    }),
    'src/math.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
    'src/app.ts': "import { add } from './math';\n\nexport const three: number = add(1, 2);\n",
  });
  await using place = await ScratchWorkspace.create({});
  const [one, other] = [place.at('one'), place.at('other')];
  await tree.git('worktree', 'add', '-q', '--detach', one, 'main');
  const ending = new AbortController();
  await using forerun = new Forerun({ definitions: 'detect', log: silentLog, env: process.env });
  const answers = watchMerge(forerun, requestIn(tree, []), ending.signal);
  const next = async () => {
    const { value } = await answers.next();
    return value && { verdict: value.verdict, train: value.train.order.length, sides: value.sides.length };
  };
  expect(await next()).toEqual({ verdict: 'clean', train: 2, sides: 2 });
  // One agent renames the function where it is declared and used; another, in a new tree, calls it by its old name.
  await writeFile(
    join(one, 'src/math.ts'),
    'export function sum(a: number, b: number): number {\n  return a + b;\n}\n',
  );
  await writeFile(
    join(one, 'src/app.ts'),
    "import { sum } from './math';\n\nexport const three: number = sum(1, 2);\n",
  );
  const renamed = await next();
  // The watcher may have reported the first of the two files on its own.
  const afterRename = renamed?.verdict === 'clean' ? renamed : await next();
  expect(afterRename).toEqual({ verdict: 'clean', train: 2, sides: 2 });
  await tree.git('worktree', 'add', '-q', '--detach', other, 'main');
  const added = next();
  await writeFile(
    join(other, 'src/five.ts'),
    "import { add } from './math';\n\nexport const five: number = add(2, 3);\n",
  );
  const first = await added;
  const collided = first?.verdict === 'broken' ? first : await next();
  expect(collided).toEqual({ verdict: 'broken', train: 2, sides: 3 });
  ending.abort();
  await answers.return(undefined);
  await tree.git('worktree', 'remove', '--force', one);
  await tree.git('worktree', 'remove', '--force', other);
});

test('a file that git ignores is part of the verdict: when it changes, the same commits are judged again', async () => {
  await using tree = await GitWorkspace.create({
    '.gitignore': 'generated/\n',
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, lib: ['es2023'], noEmit: true, module: 'preserve', types: [] },
    }),
    'app.ts': 'export const zero: number = 0;\n',
  });
  await mkdir(tree.at('generated'));
  await tree.write('generated/api.ts', 'export const count: number = 1;\n');
  await tree.git('checkout', '-q', '-b', 'feature');
  await tree.write(
    'use.ts',
    "import { count } from './generated/api';\n\nexport const next: number = count + 1;\n",
  );
  await tree.git('add', '-A');
  await tree.git('commit', '-q', '-m', 'use');
  await tree.git('checkout', '-q', 'main');
  const ending = new AbortController();
  await using forerun = new Forerun({ definitions: 'detect', log: silentLog, env: process.env });
  const answers = watchMerge(forerun, requestIn(tree, ['feature']), ending.signal);
  const verdict = async () => (await answers.next()).value?.verdict;
  expect(await verdict()).toBe('clean');
  const changed = verdict();
  await tree.write('generated/api.ts', "export const count: string = 'one';\n");
  expect(await changed).toBe('broken');
  // Ended in the usual way, the watch leaves nothing on the signal of its caller.
  await answers.return(undefined);
  await forerun[Symbol.asyncDispose]();
  expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
});

function requestIn(tree: GitWorkspace, sides: readonly string[]) {
  return {
    root: tree.root,
    directory: tree.root,
    sides,
    env: process.env,
    scope: 'workspace',
    timeoutMs: 60_000,
    onProgress: () => {},
  } as const;
}
