/** `forerun whatif` on a working tree: the edits are on disk already, and git knows what was there before them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ProgramRun, runProgram } from '../support/built-program.ts';
import { GitWorkspace } from '../support/git-workspace.ts';

let tree: GitWorkspace;

beforeAll(async () => {
  tree = await GitWorkspace.create({
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, module: 'preserve', types: [] },
    }),
    'src/math.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
    'src/app.ts': "import { add } from './math';\n\nexport const three: number = add(1, 2);\n",
    'src/old.ts': 'export const wrong: number = "text";\n',
    'picture.png': new Uint8Array([0x89, 0x50, 0, 1, 2, 3]),
    '.gitignore': 'ignored.ts\n',
  });
});

afterAll(() => tree[Symbol.asyncDispose]());

beforeEach(() => tree.reset());

const math = (type: string) =>
  `export function add(a: ${type}, b: number): number {\n  return Number(a) + b;\n}\n`;

function whatif(words: readonly string[] = [], input = ''): Promise<ProgramRun> {
  return runProgram(['whatif', ...words], { cwd: tree.root, input });
}

/** The verdict, and where it says errors are introduced and resolved. */
async function judged(words: readonly string[] = [], input = '') {
  const { code, stdout, stderr } = await whatif([...words, '--json'], input);
  expect(stderr).toBe('');
  const { verdict, judged: what, evaluations } = JSON.parse(stdout);
  const files = (key: string) => [
    ...new Set(
      evaluations.flatMap(
        (each: Record<string, { file: string }[]>) => each[key]?.map(({ file }) => file) ?? [],
      ),
    ),
  ];
  const short = (paths: readonly unknown[]) => paths.map((path) => String(path).split('/src/').at(-1));
  return {
    code,
    verdict,
    what,
    introduced: short(files('errors_introduced')),
    resolved: short(files('errors_resolved')),
  };
}

describe('without a patch, the uncommitted changes are judged', () => {
  test('an edit that breaks a file which was not touched', async () => {
    await tree.write('src/math.ts', math('string'));
    expect(await judged()).toEqual({
      code: 1,
      verdict: 'broken',
      what: 'uncommitted',
      introduced: ['app.ts'],
      resolved: [],
    });
  });

  test('an edit that breaks nothing, beside an error that was there before', async () => {
    await tree.write('src/math.ts', math('number'));
    expect(await judged()).toMatchObject({ code: 0, verdict: 'clean', introduced: [], resolved: [] });
  });

  test('an error that is mended', async () => {
    await tree.write('src/old.ts', 'export const wrong: number = 1;\n');
    expect(await judged()).toMatchObject({ code: 0, verdict: 'clean', resolved: ['old.ts'] });
  });

  test('a new file that git does not track yet, and a deleted one', async () => {
    await tree.write('src/new.ts', 'export const bad: string = 1;\n');
    expect(await judged()).toMatchObject({ code: 1, introduced: ['new.ts'] });
    await tree.reset();
    await tree.remove('src/math.ts');
    expect(await judged()).toMatchObject({ code: 1, introduced: ['app.ts'] });
  });

  test('from a directory inside, and with a binary file among the changes', async () => {
    await tree.write('picture.png', new Uint8Array([0x89, 0x50, 0, 9]));
    await tree.write('src/math.ts', math('string'));
    const run = await runProgram(['whatif', '--color', 'never'], { cwd: tree.at('src') });
    expect(run.stdout).toContain('broken: the uncommitted changes introduce 1 error in 1 file');
    expect(run.code).toBe(1);
  });

  test('a tree without changes is no verdict', async () => {
    const run = await whatif();
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('there are no uncommitted changes');
  });
});

test('--staged judges the commit that would be made, not what lies beside it on disk', async () => {
  await tree.write('src/math.ts', math('string'));
  await tree.git('add', '-A');
  await tree.write('src/math.ts', math('number'));
  expect(await judged(['--staged'])).toMatchObject({ code: 1, what: 'staged', introduced: ['app.ts'] });
  await tree.reset();
  await tree.write('src/app.ts', "import { help } from './helper';\n\nexport const three: number = help;\n");
  await tree.git('add', '-A');
  await tree.write('src/helper.ts', 'export const help = 3;\n');
  expect(await judged(['--staged'])).toMatchObject({ code: 1, introduced: ['app.ts'] });
  expect(await judged()).toMatchObject({ code: 0, verdict: 'clean' });
});

describe('a patch', () => {
  test.each([
    ['as git prints it', []],
    ['in colours', ['--color=always']],
    ['with binary contents', ['--binary']],
  ])('that is on disk already, %s, is judged in reverse', async (_, words) => {
    await tree.write('src/math.ts', math('string'));
    await tree.write('picture.png', new Uint8Array([0x89, 0x50, 0, 9]));
    const patch = await tree.git('diff', ...words);
    expect(await judged(['-'], patch)).toMatchObject({
      code: 1,
      what: 'applied-patch',
      introduced: ['app.ts'],
    });
    await tree.reset();
    expect(await judged(['-'], patch)).toMatchObject({ code: 1, what: 'patch', introduced: ['app.ts'] });
  });

  test.each<[string, readonly string[], string, number]>([
    ['empty input', ['-'], '', 2],
    ['input of blanks', ['-'], ' \n\n', 2],
    ['an unknown flag', ['--stagged'], '', 64],
    ['a flag without its value', ['--root'], '', 64],
    ['two contradictory requests', ['--staged', '-'], '', 64],
  ])('%s has an exit code of its own', async (_, words, input, code) => {
    const run = await whatif(words, input);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code, stdout: '' });
    expect(run.stderr).not.toBe('');
  });
});
