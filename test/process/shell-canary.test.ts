/** What only the run can see: names in the workspace that would turn a harmless text into a harmful one. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../src/process/run-command.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { createRepository, git, runRead, systemPath } from '../support/shell/looked-at-repository.ts';
import { describeTree } from '../support/tree-hash.ts';

const never = new AbortController().signal;
const canary = 'canary-4711';

/** A workspace beside a file that is not its own, with every trap that names and links can lay. */
async function createTraps(): Promise<
  AsyncDisposable & { readonly inside: ScratchWorkspace; readonly outside: ScratchWorkspace }
> {
  const outside = await ScratchWorkspace.create({
    'secret.txt': `${canary}\n`,
    'deep/secret.json': `{"a":"${canary}"}\n`,
  });
  const inside = await ScratchWorkspace.create({
    'plain.txt': 'plain\n',
    'list.txt': `${outside.at('secret.txt')}\n`,
    'options.txt': '-osorted\n--output=sorted\n',
    'src/a.ts': 'export const a = 1;\n',
    'json.py': `open('marked', 'w').write('json')\n`,
    'sitecustomize.py': `open('marked', 'w').write('site')\n`,
    'usercustomize.py': `open('marked', 'w').write('user')\n`,
    'fs.js': `throw new Error('loaded')\n`,
    'evil.js': `require('fs').writeFileSync('marked', 'node'); module.exports = {}\n`,
    'data.json': '{"a":1}\n',
    'dir.json/index.js': `require('fs').writeFileSync('marked', 'index')\n`,
    'package.json': '{"name":"traps","version":"1.0.0","scripts":{"test":"touch marked"}}\n',
    'bin/git': '#!/bin/sh\ntouch marked\n',
    'node_modules/.bin/ls': '#!/bin/sh\ntouch marked\n',
  });
  await symlink(outside.at('secret.txt'), inside.at('link.txt'));
  await symlink(outside.at('deep'), inside.at('linked'));
  await symlink(inside.at('evil.js'), inside.at('linked.json'));
  await symlink('/dev/zero', inside.at('endless.txt'));
  await symlink('/etc', inside.at('etc'));
  await mkdir(inside.at('options'));
  await writeFile(inside.at('options/-osorted'), 'x\n');
  await writeFile(inside.at('options/--help'), 'x\n');
  return {
    inside,
    outside,
    [Symbol.asyncDispose]: async () => {
      await inside[Symbol.asyncDispose]();
      await outside[Symbol.asyncDispose]();
    },
  };
}

/** Texts that are read as readonly, and are harmless only because of what the run looks at. */
const traps: readonly string[] = [
  'cat link.txt',
  'cat ./*.txt',
  'cat *.txt',
  'cat linked/secret.json',
  'jq .a linked/secret.json',
  'head -c 10 endless.txt',
  'cat etc/hostname',
  'grep -R canary .',
  'grep -rn canary .',
  'diff -r linked src',
  'diff -r . src',
  'cat list.txt | xargs cat',
  'cat list.txt | while read -r f; do cat "$f"; done',
  'while read -r f; do wc -c "$f"; done < list.txt',
  'for f in ./*.txt; do cat "$f"; done',
  'for f in *.txt; do head -1 "$f"; done',
  'find . -type l -exec cat {} \\;',
  "find . -name '*.txt' | xargs cat",
  "find . -name '*.txt' -print0 | xargs -0 cat",
  "find . -name '*.txt' -exec cat {} +",
  'cat options.txt | xargs sort plain.txt',
  'cd options && ls | xargs cat',
  'cd options && cat *',
  'cd options && wc -l *',
  'cd options && for f in *; do cat "$f"; done',
  'cd linked && cat secret.json',
  'cd linked && ls',
  'cd etc && ls',
  'cat < link.txt',
  'wc -c < endless.txt',
  "awk '{print}' link.txt",
  'sed -n 1p link.txt',
  'sort link.txt',
  'base64 link.txt',
  `node -p "require('./linked.json')"`,
  `node -p "require('./dir.json')"`,
  `node -p "require('fs').readFileSync('link.txt', 'utf8')"`,
  `node -p "require('./data.json').a"`,
  `python3 -c "import json; print(json.load(open('data.json'))['a'])"`,
  `python3 -c "print(open('link.txt').read())"`,
  `python3 -c "import os; print(os.listdir('linked'))"`,
  'python3 -m json.tool data.json',
  'npm run',
  'npm pkg get version',
  'git status',
  'ls',
];

describe('traps in the workspace', { timeout: 240_000 }, () => {
  test('nothing outside is shown, nothing is written, no program of the workspace runs', async () => {
    await using made = await createTraps();
    const { inside, outside } = made;
    const before = [await describeTree(inside.workspace.root), await describeTree(outside.workspace.root)];
    const shown: string[] = [];
    let ran = 0;
    for (const text of traps) {
      const env = {
        PATH: `${inside.at('bin')}:${inside.at('node_modules/.bin')}:${systemPath}`,
        LC_ALL: 'C.UTF-8',
      };
      const outcome = await runRead(text, inside, { env, timeoutMs: 60_000 });
      if (outcome.kind === 'boundary') continue;
      ran += 1;
      expect(outcome.ended, text).toBe('itself');
      if ((outcome.stdout + outcome.stderr).includes(canary)) shown.push(text);
    }
    expect(shown).toEqual([]);
    expect(ran).toBeGreaterThan(8);
    expect([await describeTree(inside.workspace.root), await describeTree(outside.workspace.root)]).toEqual(
      before,
    );
  });

  test('a pipe is not read, however it is named', async () => {
    await using own = await ScratchWorkspace.create({ 'pipes/plain': 'x' });
    const command = ['mkfifo', 'pipes/queue'];
    const limits = { timeoutMs: 5000, maxOutputBytes: 1000 };
    await runCommand({ command, cwd: own.workspace.root, env: { PATH: systemPath }, ...limits }, never);
    for (const text of [
      'cat pipes/queue',
      'cat pipes/*',
      'find pipes -exec cat {} +',
      'ls pipes/* | xargs cat',
      'for f in pipes/*; do wc -l "$f"; done',
    ]) {
      // A pattern does not list it; named in any other way it is a boundary.
      const outcome = await runRead(text, own);
      const answer = outcome.kind === 'boundary' ? outcome.rule : outcome.ended;
      expect(answer, text).toMatch(/^(special-file|itself)$/);
    }
    expect(await runRead('cat pipes/queue', own)).toMatchObject({ kind: 'boundary', rule: 'special-file' });
    expect(await runRead('grep -r x pipes', own)).toMatchObject({ kind: 'ran', ended: 'itself' });
  });

  test('modules of the workspace are not imported, and its JSON is parsed, not loaded', async () => {
    await using made = await createTraps();
    const { inside } = made;
    expect(await runRead(`python3 -c "import json; print(json.dumps([1]))"`, inside)).toMatchObject({
      stdout: '[1]\n',
    });
    expect(await runRead(`node -p "require('./data.json').a"`, inside)).toMatchObject({ stdout: '1\n' });
    expect(await runRead(`node -p "require('fs').existsSync('fs.js')"`, inside)).toMatchObject({
      stdout: 'true\n',
    });
  });

  test('code that is made of text does not run, even past the checker', async () => {
    await using own = await createRepository();
    const code = "const k = 'constructor'; const f = [][k][k]; console.log(typeof f); [1].map(f)";
    expect(await runRead(`node -e "${code}"`, own)).toMatchObject({ kind: 'ran', code: 1 });
  });

  test.each([
    ['.npmrc', 'script-shell=./x\n', 'npm ls'],
    ['.pnpmfile.cjs', '', 'pnpm list'],
    ['.yarnrc.yml', 'yarnPath: ./x\n', 'yarn --version'],
    ['.cargo/config.toml', '[build]\nrustc-wrapper = "./x"\n', 'cargo tree'],
    ['rust-toolchain.toml', '[toolchain]\npath = "./x"\n', 'cargo --version'],
  ])('where %s holds %j, this does not run: %s', async (file, content, text) => {
    await using own = await ScratchWorkspace.create({ [file]: content, 'package.json': '{}' });
    const outcome = await runRead(text, own);
    expect(outcome.kind === 'boundary' && outcome.rule).toMatch(/^(workspace-program|program|toolchain)$/);
  });

  test('a name with a quote ends a fan-out instead of being split', async () => {
    await using own = await createRepository();
    await git(own, 'add', '.');
    expect(await runRead('git ls-files | xargs wc -l', own)).toMatchObject({
      kind: 'boundary',
      rule: 'operand',
    });
    expect(await readFile(own.at("it's.txt"), 'utf8')).toBe('with a quote\n');
  });
});
