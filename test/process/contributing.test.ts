/** Follows CONTRIBUTING.md to the letter in a copy of the tree: what it says to write is taken from the page itself. */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../src/process/run-command.ts';
import { programEnvironment } from '../support/built-program.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const page = await readFile(join(top, 'CONTRIBUTING.md'), 'utf8');
let copy: string;
/** What `npm run docs` and `npm run build` said, with both additions in place. */
let generated: Finished;
let built: Finished;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'forerun-newcomer-'));
  for (const name of ['bin', 'src', 'scripts', 'skills', 'docs', 'man', 'package.json']) {
    await cp(join(top, name), join(copy, name), { recursive: true });
  }
  for (const name of ['tsconfig.json', 'tsdown.config.ts']) await cp(join(top, name), join(copy, name));
  await symlink(join(top, 'node_modules'), join(copy, 'node_modules'));
  await addServer();
  await addTool();
  built = await run(['node_modules/tsdown/dist/run.mjs', '--log-level', 'error']);
});

afterAll(() => rm(copy, { recursive: true, force: true }));

async function addServer(): Promise<void> {
  const file = join(copy, 'src/servers/catalogue/scripting.ts');
  const rows = await readFile(file, 'utf8');
  await writeFile(file, rows.replace(/\];\s*$/, `${example('catalogue')}];\n`));
}

async function addTool(): Promise<void> {
  const path = 'src/tools/navigation/count-lines.ts';
  await writeFile(join(copy, path), example(path));
  generated = await run(['--import', 'tsx', 'scripts/generate-docs.ts']);
}

test('a language server is one row in one file', async () => {
  await writeFile(join(copy, 'first.example'), 'text\n');
  const asked = JSON.stringify({ file_path: join(copy, 'first.example') });
  const { code, output } = await run(program('call', 'list_symbols', asked));
  expect(code).not.toBe(0);
  expect(output).toContain('npm i -g example-language-server');
});

test('a tool is one file, and npm run docs', async () => {
  expect(generated.code).toBe(0);
  expect(await readFile(join(copy, 'docs/tools.md'), 'utf8')).toContain('count_lines');
  await writeFile(join(copy, 'three.ts'), 'export const one = 1;\nexport const two = 2;\n');
  const asked = JSON.stringify({ file_path: join(copy, 'three.ts') });
  const { output } = await run(program('call', 'count_lines', asked));
  expect(JSON.parse(output)).toEqual({ lines: 3 });
});

test('both pass the type check and are built', async () => {
  const compiler = join(top, 'node_modules/typescript-server/bin/tsc');
  const narrowed = {
    extends: './tsconfig.json',
    include: ['src/tools/catalogue.ts', 'src/servers/catalogue.ts'],
  };
  await writeFile(join(copy, 'tsconfig.newcomer.json'), JSON.stringify(narrowed));
  const checked = await run([compiler, '--noEmit', '-p', join(copy, 'tsconfig.newcomer.json')]);
  expect(checked).toMatchObject({ code: 0, output: '' });
  expect(built).toMatchObject({ code: 0 });
});

/** The block of code whose fence names `title`. */
function example(title: string): string {
  const found = page.split('```').find((part) => part.startsWith(`ts ${title}\n`));
  if (found === undefined) throw new Error(`CONTRIBUTING.md has no example named ${title}`);
  return found.slice(`ts ${title}\n`.length);
}

function program(...words: readonly string[]): readonly string[] {
  return [join(copy, 'bin/forerun.js'), ...words];
}

interface Finished {
  readonly code?: number;
  readonly output: string;
}

async function run(words: readonly string[]): Promise<Finished> {
  const { code, stdout, stderr } = await runCommand(
    {
      command: [process.execPath, ...words],
      cwd: copy,
      // No broker is left running, and nothing is recorded in the directories of the user.
      env: programEnvironment(),
      timeoutMs: 120_000,
      maxOutputBytes: 1_000_000,
    },
    new AbortController().signal,
  );
  // What it prints for people beside its answer matters only where it fails.
  return { ...(code !== undefined && { code }), output: code === 0 ? stdout : stdout + stderr };
}
