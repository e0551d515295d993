/**
 * The examples and the snippets of the guides: all of them compile, and those that can be run do what they say. The
 * examples use the packed package, as its users do.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whatifPicture, whatifPictureFile } from '../../scripts/docs/whatif-picture.ts';
import { bin } from '../support/built-program.ts';
import { openFixture } from '../support/fixture.ts';
import { PackedPackage } from '../support/packed-package.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));

interface Run {
  readonly code: number | null;
  readonly output: string;
}

async function run(command: readonly string[], { cwd = top, input = '', path = '' } = {}): Promise<Run> {
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    cwd,
    env: { ...process.env, PATH: `${path}:${process.env.PATH}` },
    stdio: 'pipe',
  });
  child.stdin.end(input);
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, output: stdout + stderr };
}

const tsc = [process.execPath, join(top, 'node_modules/typescript-server/bin/tsc')];
const example = (name: string): readonly string[] => [
  process.execPath,
  ...['--import', join(top, 'node_modules/tsx/dist/loader.mjs')],
  join(packed.consumer, 'examples', name),
];

let packed: PackedPackage;
beforeAll(async () => {
  packed = await PackedPackage.create();
}, 300_000);
afterAll(() => packed[Symbol.asyncDispose]());

async function blocks(
  language: string,
): Promise<readonly { readonly guide: string; readonly text: string }[]> {
  const directory = join(top, 'docs/guide');
  const found = await Promise.all(
    (await readdir(directory)).map(async (guide) => {
      const page = await readFile(join(directory, guide), 'utf8');
      return [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
        ([, block = '']) => ({
          guide,
          text: block,
        }),
      );
    }),
  );
  return found.flat();
}

test('the examples and the TypeScript of the guides compile', async () => {
  const snippets = await blocks('ts');
  expect(snippets.length).toBeGreaterThan(0);
  await Promise.all(
    snippets.map((snippet, index) => writeFile(join(packed.consumer, `${index}.ts`), snippet.text)),
  );
  const config = {
    extends: join(top, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(top, 'node_modules/@types')] },
    include: ['*.ts', 'examples/*.ts'],
    exclude: [],
  };
  await writeFile(join(packed.consumer, 'tsconfig.json'), JSON.stringify(config));
  expect(await run([...tsc, '--noEmit', '-p', packed.consumer])).toEqual({ code: 0, output: '' });
});

describe('the examples run', () => {
  test('judge-patch names what a patch breaks', async () => {
    await using fixture = await openFixture('ts-two-modules');
    const patch =
      '--- a/math.ts\n+++ b/math.ts\n@@ -1,1 +1,1 @@\n-export function add(a: number, b: number): number {\n+export function add(a: string, b: number): number {\n';
    const { code, output } = await run(example('judge-patch.ts').concat(fixture.root), { input: patch });
    expect(output.split('\n').slice(0, 2)).toEqual(['broken', expect.stringMatching(/^(app|math)\.ts:\d+ /)]);
    expect(output).toContain('app.ts:3');
    expect(code).toBe(0);
  });

  test('judge-patch judges every language of a patch', async () => {
    await using fixture = await openFixture('two-languages');
    const patch =
      '--- /dev/null\n+++ b/first.ts\n@@ -0,0 +1 @@\n+export const one = 1;\n--- /dev/null\n+++ b/second.py\n@@ -0,0 +1 @@\n+one: int = "1"\n';
    const { output } = await run(example('judge-patch.ts').concat(fixture.root), { input: patch });
    expect(output).toMatch(/^broken\nsecond\.py:1 /);
  });

  test('call-tool answers where a symbol is used', async () => {
    await using fixture = await openFixture('ts-two-modules');
    const { code, output } = await run([...example('call-tool.ts'), fixture.file('math.ts'), '1', '17']);
    expect(output).toContain('app.ts');
    expect(code).toBe(0);
  });

  test('speculation does what was predicted', async () => {
    await using fixture = await openFixture('ts-two-modules');
    const { output } = await run(example('speculation.ts').concat(fixture.root));
    expect(output).toContain('"write a changelog" was accepted');
    expect(await fixture.read('CHANGELOG.md')).toBe('# Changes\n');
  });

  test('rank-alternatives measures each by itself', async () => {
    await using fixture = await openFixture('ts-two-modules');
    const { output } = await run(example('rank-alternatives.ts').concat(fixture.file('math.ts')));
    expect(output).toMatch(
      /^1 edit, [1-9]\d* errors introduced \(high\)\n1 edit, [1-9]\d* errors introduced \(high\)\n$/,
    );
  });

  test('commit-when-clean writes what is clean and nothing else', async () => {
    await using fixture = await openFixture('ts-two-modules');
    const before = await fixture.read('math.ts');
    const replace = (...texts: readonly string[]) =>
      run([...example('commit-when-clean.ts'), fixture.file('math.ts'), ...texts]);
    expect(await replace('a: number', 'a: string')).toEqual({ code: 1, output: 'broken: nothing written\n' });
    expect(await fixture.read('math.ts')).toBe(before);
    expect(await replace('a + b', 'b + a')).toEqual({ code: 0, output: 'clean: 1 file written\n' });
    expect(await fixture.read('math.ts')).toContain('return b + a;');
  });
});

describe('the commands of the guides run', async () => {
  const expected: Readonly<Record<string, readonly [code: number, output: string]>> = {
    'forerun whatif change.patch': [1, 'broken: this patch introduces'],
    'forerun whatif change.patch --json': [1, '"verdict": "broken"'],
    'forerun whatif change.patch --sarif': [1, '"level": "error"'],
    'forerun whatif change.patch --format human --format sarif=out.sarif --format markdown=summary.md': [
      1,
      'broken: this patch introduces',
    ],
    'forerun whatif --rank first.patch second.patch third.patch': [0, 'second.patch  clean'],
    'forerun chat': [1, 'no model is available'],
    'forerun chat -p "which files import src/main.ts?" --json': [1, 'no model is available'],
    'forerun hook --mode deny --deadline 20000': [1, '"decision":"deny"'],
  };
  const commands = await blocks('sh');

  test.each(commands.map(({ guide, text: command }) => [guide, command.trim()] as const))(
    '%s: %s',
    async (_guide, command) => {
      await using fixture = await openFixture('ts-two-modules');
      const patch = (after: string): string =>
        `--- a/math.ts\n+++ b/math.ts\n@@ -6,1 +6,1 @@\n-  return a / 2;\n+  return ${after};\n`;
      const patches = { change: '"a"', first: '"a"', second: 'a / 4', third: 'b' };
      for (const [name, after] of Object.entries(patches)) await fixture.write(`${name}.patch`, patch(after));
      const path = await mkdtemp(join(tmpdir(), 'forerun-bin-'));
      try {
        await symlink(bin, join(path, 'forerun'));
        const [code, output] = expected[command.replace(/^.*\| /, '')] ?? [
          0,
          'no expectation for this command',
        ];
        const answer = await run(['sh', '-c', command], { cwd: fixture.root, path });
        expect(answer.output).toContain(output);
        expect(answer.code).toBe(code);
      } finally {
        await rm(path, { recursive: true });
      }
    },
  );
});

test('the picture of the README shows what the program prints', async () => {
  expect(await readFile(whatifPictureFile, 'utf8')).toBe(await whatifPicture());
});
