/** `forerun whatif` on a working tree: the edits are on disk already, and git knows what was there before them. */
import { existsSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ProgramRun, runProgram, withoutProgress } from '../support/built-program.ts';
import { commitAll, GitWorkspace, gitIn } from '../support/git-workspace.ts';
import { runInProcess } from '../support/in-process-program.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';

let tree: GitWorkspace;

beforeAll(async () => {
  tree = await GitWorkspace.create({
    'tsconfig.json': tsconfig({ strict: true }),
    'src/math.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
    'src/app.ts': "import { add } from './math';\n\nexport const three: number = add(1, 2);\n",
    'src/old.ts': 'export const wrong: number = "text";\n',
    'picture.png': new Uint8Array([0x89, 0x50, 0, 1, 2, 3]),
    '.gitignore': 'ignored.ts\n',
  });
});

afterAll(() => tree[Symbol.asyncDispose]());

beforeEach(() => tree.reset());

function tsconfig(options: { readonly strict: boolean }): string {
  return JSON.stringify({
    compilerOptions: { ...options, lib: ['es2023'], noEmit: true, module: 'preserve', types: [] },
  });
}

const math = (type: string) =>
  `export function add(a: ${type}, b: number): number {\n  return Number(a) + b;\n}\n`;

function whatif(words: readonly string[] = [], input = ''): Promise<ProgramRun> {
  return runInProcess(['whatif', ...words], { cwd: tree.root, input });
}

/** The verdict, and where it says errors are introduced and resolved. */
async function judged(words: readonly string[] = [], input = '') {
  const { code, stdout, stderr } = withoutProgress(await whatif([...words, '--json'], input));
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

  test('a configuration is judged by the programs it configures, whatever else changes with it', async () => {
    const start = (await tree.git('rev-parse', 'HEAD')).trim();
    await tree.write('src/app.ts', 'export const id = (value) => value;\n');
    await tree.write('tsconfig.json', tsconfig({ strict: false }));
    await tree.git('commit', '-q', '-a', '-m', 'loose');
    try {
      await tree.write('tsconfig.json', tsconfig({ strict: true }));
      const broken = { code: 1, verdict: 'broken', introduced: ['app.ts'] };
      expect(await judged()).toMatchObject(broken);
      await tree.write('note.py', 'one: int = 1\n');
      expect(await judged()).toMatchObject(broken);
      await tree.remove('note.py');
      await tree.git('add', '-A');
      expect(await judged(['--staged'])).toMatchObject(broken);
      await tree.git('commit', '-q', '-m', 'strict');
      expect(await judged(['HEAD'])).toMatchObject(broken);
      expect(await judged(['HEAD..HEAD~'])).toMatchObject({
        code: 0,
        verdict: 'clean',
        resolved: ['app.ts'],
      });
    } finally {
      await tree.git('reset', '-q', '--hard', start);
    }
  });

  test('in a repository without commits every file is new', async () => {
    await using first = await ScratchWorkspace.create({
      'tsconfig.json': tsconfig({ strict: true }),
      'src/one.ts': 'export const one: number = 1;\n',
      'src/two.ts': "import { one } from './one';\n\nexport const two: number = one + 1;\n",
    });
    const root = first.workspace.root;
    await gitIn(root, 'init', '-q');
    const verdictOf = async (words: readonly string[]) =>
      (await runInProcess(['whatif', '--color', 'never', ...words], { cwd: root, input: '' })).stdout;
    expect(await verdictOf([])).toMatch(/^clean: the uncommitted changes introduce no errors/);
    await gitIn(root, 'add', '-A');
    expect(await verdictOf(['--staged'])).toMatch(/^clean: the staged changes introduce no errors/);
    await writeFile(first.at('src/one.ts'), "export const one: string = '1';\n");
    expect(await verdictOf([])).toMatch(/^broken: the uncommitted changes introduce 1 error in 1 file/);
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

test('a submodule that moves is not judged, and none of its files is taken for removed', async () => {
  await using place = await ScratchWorkspace.create({ 'value.ts': 'export const value: number = 1;\n' });
  await commitAll(place.workspace.root);
  const start = (await tree.git('rev-parse', 'HEAD')).trim();
  const allow = ['-c', 'protocol.file.allow=always'];
  await tree.git(...allow, 'submodule', '--quiet', 'add', place.workspace.root, 'inner');
  await tree.write('src/uses.ts', "import { value } from '../inner/value';\n\nexport const n = value + 1;\n");
  await tree.git('add', '-A');
  await tree.git('commit', '-q', '-m', 'with a submodule');
  try {
    await gitIn(tree.at('inner'), 'commit', '-q', '--allow-empty', '-m', 'moved');
    expect(await whatif()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('only submodules change'),
    });
    await tree.write('src/math.ts', math('number'));
    const unknown = { code: 2, verdict: 'unknown', introduced: [], resolved: [] };
    expect(await judged()).toMatchObject(unknown);
    const patch = await tree.git('diff');
    expect(await judged(['-'], patch)).toMatchObject({ ...unknown, what: 'applied-patch' });
    await tree.git('commit', '-q', '-a', '-m', 'moved');
    expect(await judged(['HEAD'])).toMatchObject(unknown);
    const merge = await whatif(['--merge', 'HEAD', 'HEAD~', '--onto', 'HEAD~', '--json']);
    const { sides, pairs } = JSON.parse(merge.stdout);
    expect(sides.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['unknown', 'clean']);
    expect(pairs).toMatchObject([{ outcome: 'unknown' }]);
    await tree.git('reset', '-q', '--hard', 'HEAD~');
    expect(await judged(['-'], patch)).toMatchObject({ ...unknown, what: 'patch' });
    // One that is not checked out has no file that a server could read.
    await tree.git('submodule', '--quiet', 'deinit', '-f', 'inner');
    expect(await judged(['-'], patch)).toMatchObject({ code: 0, verdict: 'clean', what: 'patch' });
  } finally {
    await tree.git('reset', '-q', '--hard', start);
    await tree.git('clean', '-q', '-ffd');
    await rm(tree.at('.git/modules'), { recursive: true, force: true });
  }
});

test('a file that is no text is no obstacle, unless compilers look into it', async () => {
  await tree.write('src/math.ts', math('number'));
  await tree.write('weights.dat', new Uint8Array([0, 1, 2, 0xff]));
  expect(await judged()).toMatchObject({ code: 0, verdict: 'clean' });
  await tree.write('native.so', new Uint8Array([0, 1, 2, 0xff]));
  expect(await judged()).toMatchObject({ code: 2, verdict: 'unknown' });
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

describe('what git has already is judged without a checkout', () => {
  const caller = "import { add } from './math';\n\nexport const five: number = add(2, 3);\n";
  const renamed = 'export function sum(a: number, b: number): number {\n  return a + b;\n}\n';
  const renamedUse = "import { sum } from './math';\n\nexport const three: number = sum(1, 2);\n";

  /** A branch from main with these files. */
  async function branch(name: string, files: Readonly<Record<string, string>>): Promise<void> {
    await tree.git('checkout', '-q', '-B', name, 'main');
    for (const [path, text] of Object.entries(files)) await tree.write(path, text);
    await tree.git('add', '-A');
    await tree.git('commit', '-q', '-m', name);
    await tree.git('checkout', '-q', 'main');
  }

  beforeAll(async () => {
    await branch('renames', { 'src/math.ts': renamed, 'src/app.ts': renamedUse });
    await branch('calls', { 'src/five.ts': caller });
    await branch('breaks', { 'src/math.ts': math('string') });
    await branch('clashes', { 'src/math.ts': math('boolean') });
  });

  test.each<[string, number, readonly string[]]>([
    ['breaks', 1, ['app.ts']],
    ['main..breaks', 1, ['app.ts']],
    ['main...calls', 0, []],
    ['breaks~0', 1, ['app.ts']],
    ['breaks..main', 0, []],
    ['renames', 0, []],
  ])('%s', async (revision, code, introduced) => {
    expect(await judged([revision])).toMatchObject({ code, what: 'revision', introduced });
    expect(await tree.git('status', '--porcelain')).toBe('');
  });

  test('uncommitted changes on disk play no part', async () => {
    await tree.write('src/app.ts', 'export const wrong: number = "";\n');
    await tree.write('src/stray.ts', 'export const stray: number = "";\n');
    expect(await judged(['calls'])).toMatchObject({ code: 0, introduced: [], resolved: [] });
  });

  test('a stash, against the commit it was made on', async () => {
    await tree.write('src/math.ts', math('string'));
    await tree.git('stash', '-q');
    expect(await judged(['stash@{0}'])).toMatchObject({ code: 1, introduced: ['app.ts'] });
    await tree.git('stash', 'drop', '-q');
  });

  test('another working tree, with what it has not committed', async () => {
    await using place = await ScratchWorkspace.create({});
    const other = place.at('other');
    await tree.git('worktree', 'add', '-q', other, 'calls');
    expect(await judged([other])).toMatchObject({ code: 0 });
    await writeFile(join(other, 'src/six.ts'), 'export const six: number = "6";\n');
    expect(await judged([other])).toMatchObject({ code: 1, introduced: ['six.ts'] });
    await tree.git('worktree', 'remove', '--force', other);
  });

  test('a symbolic link that another working tree changed is judged by where it leads now', async () => {
    await using place = await ScratchWorkspace.create({});
    const other = place.at('other');
    await tree.git('worktree', 'add', '-q', '--detach', other, 'main');
    await writeFile(join(other, 'src/numbers.ts'), 'export const one: number = 1;\n');
    await writeFile(join(other, 'src/texts.ts'), "export const one: string = '1';\n");
    await writeFile(
      join(other, 'src/uses.ts'),
      "import { one } from './linked';\n\nexport const two: number = one + 1;\n",
    );
    await symlink('numbers.ts', join(other, 'src/linked.ts'));
    await gitIn(other, 'add', '-A');
    await gitIn(other, 'commit', '-q', '-m', 'linked');
    expect(await judged([other])).toMatchObject({ code: 0 });
    await rm(join(other, 'src/linked.ts'));
    await symlink('texts.ts', join(other, 'src/linked.ts'));
    expect(await judged([other])).toMatchObject({ code: 1, introduced: ['uses.ts'] });
    await tree.git('worktree', 'remove', '--force', other);
  });

  test('a name that is neither a file nor a revision is no verdict, and says what can be given', async () => {
    for (const name of ['nowhere', '--upload-pack=x', 'main..nowhere']) {
      const run = await whatif(['--', name]);
      expect(run).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toContain('neither a file nor a revision');
    }
  });

  test('a commit whose parent is not in a shallow clone is no verdict', async () => {
    await using place = await ScratchWorkspace.create({});
    await tree.git(
      'clone',
      '-q',
      '--depth',
      '1',
      '--branch',
      'calls',
      `file://${tree.root}`,
      place.at('clone'),
    );
    const run = await runInProcess(['whatif', 'HEAD'], { cwd: place.at('clone'), input: '' });
    expect(run).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('this clone is shallow'),
    });
  });

  test('a merge names the errors that neither branch has alone, and the two changes that collide', async () => {
    const { code, stdout } = await whatif(['--merge', 'renames', 'calls', 'clashes', '--json']);
    const report = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(report.sides.map(({ name, verdict }: Record<string, string>) => [name, verdict])).toEqual([
      ['renames', 'clean'],
      ['calls', 'clean'],
      ['clashes', 'broken'],
    ]);
    const outcome = ({ outcome: kind }: { outcome: string }) => kind;
    expect(report.pairs.map(outcome)).toEqual(['semantic', 'textual', 'semantic']);
    expect(report.pairs[0].conflicts).toMatchObject([
      {
        file: 'src/five.ts',
        line: 1,
        changes: [{ file: 'src/math.ts' }, { file: 'src/five.ts', line: 1 }],
      },
    ]);
    expect(report.train).toEqual(['renames']);
    expect(report.left_out).toEqual([
      { name: 'calls', why: 'semantic conflict with renames' },
      { name: 'clashes', why: 'broken alone' },
    ]);
    const { stdout: text } = await whatif(['--merge', 'calls', '--onto', 'renames', '--color', 'never']);
    expect(text).toContain('longest clean train: 0 of 1 onto renames');
  });

  test('a merge driver of the repository does not run', async () => {
    await using mark = await ScratchWorkspace.create({});
    await tree.git('config', 'merge.own.driver', `touch ${mark.at('ran')}; false`);
    await tree.write('.git/info/attributes', '* merge=own\n');
    const { stdout } = await whatif(['--merge', 'renames', 'breaks', '--json']);
    expect(JSON.parse(stdout).pairs[0].outcome).toBe('textual');
    expect(existsSync(mark.at('ran'))).toBe(false);
    await tree.git('config', '--remove-section', 'merge.own');
    await rm(tree.at('.git/info/attributes'));
  });
});
