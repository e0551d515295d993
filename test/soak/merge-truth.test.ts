/**
 * Merges judged before they happen, against the compiler on a real checkout of each: nothing missed, nothing invented.
 *
 * All checkouts of a repository are compiled in one run, each in a directory of its own.
 */
import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { checkMerge, type MergeCheck } from '../../src/host/check/merge-check.ts';
import { Forerun } from '../../src/host/forerun.ts';
import { GitWorkspace } from '../support/git-workspace.ts';
import {
  below,
  type CompiledLanguage,
  compiledLanguages,
  directoryOf,
} from '../support/merge/compiled-language.ts';
import { baseProgram, branchOf, filesOf } from '../support/merge/generated-branch.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { isSoak, rounds } from '../support/soak.ts';
import { calm } from '../support/world.ts';

test.each(compiledLanguages)('$name: every two of many branches', async ({ name, syntax, root, compile }) => {
  const random = SeededRandom.fromEnvironment();
  const branches = rounds({ everyRun: 3, soak: 10 });
  const base = baseProgram();
  await using tree = await GitWorkspace.create({ ...root, ...below('package', filesOf(base, syntax)) });
  const names: string[] = [];
  for (let at = 0; at < branches; at++) {
    const branch = `branch-${at}`;
    await tree.git('checkout', '-q', '-b', branch, 'main');
    await rm(tree.at('package'), { recursive: true });
    for (const [path, text] of Object.entries(
      below('package', filesOf(branchOf(base, `B${at}`, random), syntax)),
    )) {
      await mkdir(dirname(tree.at(path)), { recursive: true });
      await tree.write(path, text);
    }
    await tree.git('add', '-A');
    await tree.git('commit', '-q', '--allow-empty', '-m', branch);
    names.push(branch);
  }
  const expected = await composed(tree, names, compile);
  await tree.git('checkout', '-q', 'main');
  await using forerun = new Forerun({
    definitions: 'detect',
    log: silentLog,
    env: process.env,
    daemon: 'off',
  });
  const options = { scope: 'workspace', timeoutMs: 120_000, onProgress: () => {} } as const;
  const check = await checkMerge(
    forerun,
    { ...options, root: tree.root, directory: tree.root, sides: names, env: process.env },
    calm,
  );
  expect(outcomesOf(check)).toEqual(expected);
  const kinds = Object.values(expected).map((outcome) =>
    outcome === 'textual' ? outcome : outcome.length > 0,
  );
  const count = (kind: boolean | string) => kinds.filter((each) => each === kind).length;
  console.log(
    `${name}: ${kinds.length} merges: ${count(false)} clean, ${count(true)} semantic, ${count('textual')} textual`,
  );
  if (isSoak()) expect(count(true)).toBeGreaterThan(0);
  expect((await tree.git('status', '--porcelain')).trim(), name).toBe('');
});

type Outcomes = Readonly<Record<string, string | readonly string[]>>;

/** By two branches: `textual`, or the errors that neither has alone. */
function outcomesOf({ sides, pairs }: MergeCheck): Outcomes {
  const outcomes = pairs.map(({ one, other, outcome }) => {
    const key = `${sides[one]?.name} ${sides[other]?.name}`;
    if (outcome.kind === 'semantic') {
      const errors = outcome.conflicts.map(
        ({ finding: { path, diagnostic } }) =>
          `${path}:${diagnostic.range.start.line + 1}:${diagnostic.range.start.character + 1} ${diagnostic.code}`,
      );
      return [key, errors.sort()] as const;
    }
    return [key, outcome.kind === 'clean' ? [] : outcome.kind] as const;
  });
  return Object.fromEntries(outcomes);
}

/** The same, by `git merge` in a working tree and the compiler. */
async function composed(
  tree: GitWorkspace,
  names: readonly string[],
  compile: CompiledLanguage['compile'],
): Promise<Outcomes> {
  await using copies = await ScratchWorkspace.create({});
  const textual = new Set<string>();
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other] as const));
  const keep = async (key: string) =>
    cp(tree.at('package'), copies.at(directoryOf(key)), { recursive: true });
  for (const name of names) {
    await tree.git('checkout', '-q', name);
    await keep(name);
  }
  for (const [one, other] of pairs) {
    await tree.git('checkout', '-q', '--detach', one);
    const isMerged = await tree.git('merge', '-q', '--no-edit', other).then(
      () => true,
      () => false,
    );
    if (isMerged) await keep(`${one} ${other}`);
    else {
      textual.add(`${one} ${other}`);
      await tree.git('merge', '--abort');
    }
  }
  const problems = (await compile(copies.workspace.root)).filter(({ severity }) => severity === 'error');
  const of = (key: string) =>
    problems.flatMap((problem) => {
      const [directory = '', ...rest] = problem.path.split('/');
      return directory === directoryOf(key) ? [{ ...problem, path: ['package', ...rest].join('/') }] : [];
    });
  const outcomes = pairs.map(([one, other]) => {
    const key = `${one} ${other}`;
    if (textual.has(key)) return [key, 'textual'] as const;
    const alone = new Set([...of(one), ...of(other)].map(({ path, message }) => `${path} ${message}`));
    const together = of(key).filter(({ path, message }) => !alone.has(`${path} ${message}`));
    return [
      key,
      together.map(({ path, line, column, code }) => `${path}:${line}:${column} ${code}`).sort(),
    ] as const;
  });
  return Object.fromEntries(outcomes);
}
