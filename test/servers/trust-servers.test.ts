/** What real servers execute by themselves in a workspace that is not trusted. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { languageId } from '../../src/servers/language.ts';
import type { Trust } from '../../src/workspace/trust.ts';
import { isOnPath } from '../support/on-path.ts';
import { provisionedPrograms } from '../support/provisioned.ts';
import { calm, World } from '../support/world.ts';

process.env.PATH = [provisionedPrograms, process.env.PATH].join(delimiter);

let tree = '';
let root = '';
let canary = '';

beforeEach(async () => {
  tree = await realpath(await mkdtemp(join(tmpdir(), 'forerun-trust-servers-')));
  root = join(tree, 'ws');
  canary = join(tree, 'canary');
  await mkdir(root);
});

afterEach(() => rm(tree, { recursive: true, force: true }));

describe('pyright', () => {
  const main = { 'main.py': 'import mylib\n\nanswer: str = mylib.number()\n' };
  const venv = {
    '.venv/pyvenv.cfg': 'home = /usr/bin\n',
    '.venv/lib/python3.12/site-packages/mylib/__init__.py': 'def number() -> int:\n    return 1\n',
  };
  const programs = ['.venv/bin/python', '.venv/bin/python3', 'python', 'python3', 'conda'];

  test('reads the packages of the environment without running its interpreter', async () => {
    await plant(programs);
    expect(await diagnose({ ...main, ...venv }, 'main.py')).toEqual([
      expect.stringMatching(/not assignable/),
    ]);
    expect(existsSync(canary)).toBe(false);
  });

  test('a trusted environment has its interpreter run', async () => {
    await plant(programs);
    await diagnose({ ...main, ...venv }, 'main.py', { trust: 'trusted' });
    expect(existsSync(canary)).toBe(true);
  });

  // Of the first two it reads one only; the others are read beside either.
  test.each([
    ['pyrightconfig.json', '{"venvPath":".","venv":".venv","pythonPath":"./python"}'],
    ['pyproject.toml', '[tool.pyright]\nvenvPath="."\nvenv=".venv"\npythonPath="./python"\n'],
  ])('%s, settings of an editor and a version file do not make it run anything', async (name, text) => {
    await plant(programs);
    const settings = {
      [name]: text,
      '.vscode/settings.json': '{"python.pythonPath":"./python","python.defaultInterpreterPath":"./python"}',
      '.python-version': '../../ws/.venv\n',
    };
    await diagnose({ ...main, ...venv, ...settings }, 'main.py');
    expect(existsSync(canary)).toBe(false);
  });

  test('modules of the workspace are not imported by the interpreter that is asked for its paths', async () => {
    await plant(['mark']);
    const evil = `import os\nos.system('${join(root, 'mark')}')\n`;
    const names = ['json', 'os', 'site', 'sitecustomize', 'usercustomize', 'encodings/__init__'];
    const modules = Object.fromEntries(names.map((name) => [`${name}.py`, evil]));
    await diagnose({ ...main, ...modules }, 'main.py', {
      env: { PYTHONPATH: '.', PYTHONSTARTUP: './os.py' },
    });
    expect(existsSync(canary)).toBe(false);
  });

  test('NODE_OPTIONS loads nothing of the workspace, however it names it', async () => {
    await plant(['mark']);
    // Each of them runs the mark if it is loaded, whatever becomes of the others.
    const hook = `try { require('node:child_process').execFileSync('${join(root, 'mark')}'); } catch {}\n`;
    const files = { ...main, 'hook.cjs': hook, 'import.cjs': hook, 'node_modules/hook/index.js': hook };
    const NODE_OPTIONS = '--require ./hook.cjs --require hook --import ./import.cjs';
    await diagnose(files, 'main.py', { env: { NODE_OPTIONS } });
    expect(existsSync(canary)).toBe(false);
  });
});

test('TypeScript loads no plugin and calls no npm', async () => {
  await plant(['npm', 'node', 'mark']);
  const plugin = `require('node:child_process').execFileSync('${join(root, 'mark')}'); module.exports = () => ({});\n`;
  const config = {
    compilerOptions: { strict: true, lib: ['es2023'], allowJs: true, plugins: [{ name: 'evil' }] },
    typeAcquisition: { enable: true, include: ['jquery'] },
  };
  const files = {
    'tsconfig.json': JSON.stringify(config),
    'package.json': '{"dependencies":{"jquery":"1"}}',
    'node_modules/evil/index.js': plugin,
    'app.ts': 'export const a: string = 1;\n',
  };
  const env = { PATH: `${root}${delimiter}${process.env.PATH}` };
  expect(await diagnose(files, 'app.ts', { env })).toEqual([expect.stringMatching(/not assignable/)]);
  expect(existsSync(canary)).toBe(false);
});

describe.skipIf(!isOnPath('clangd'))('clangd', () => {
  test('loads no plugin and asks no compiler that the workspace names', async () => {
    await plant(['mycc']);
    const source = join(tree, 'evil.c');
    const mark = `__attribute__((constructor)) static void go(void) { FILE *f = fopen("${canary}", "a"); fclose(f); }`;
    await writeFile(source, `#include <stdio.h>\n${mark}\n`);
    const library = join(root, 'evil.so');
    await promisify(execFile)('cc', ['-shared', '-fPIC', '-o', library, source]);
    const load = [`-fplugin=${library}`, '-Xclang', '-load', '-Xclang', library, `-fpass-plugin=${library}`];
    const command = [join(root, 'mycc'), ...load, '-c', 'main.c'];
    const files = {
      'main.c': 'int main(void) { return missing; }\n',
      'compile_commands.json': JSON.stringify([{ directory: root, file: 'main.c', arguments: command }]),
      '.clangd': `CompileFlags:\n  Add: [${load.join(', ')}]\n  Compiler: ${join(root, 'mycc')}\n  BuiltinHeaders: QueryDriver\n`,
    };
    await diagnose(files, 'main.c');
    expect(existsSync(canary)).toBe(false);
  });
});

describe.skipIf(!isOnPath('gopls'))('gopls', () => {
  test('runs no toolchain, monitor, wrapper or generator that the workspace names', async () => {
    await plant(['evil', 'go', 'gcc', 'git', 'pkg-config']);
    const files = {
      'go.mod': 'module example.test/x\n\ngo 1.21\n\ntoolchain go1.99.0\n',
      'go.env': `GOFLAGS=-toolexec=${join(root, 'evil')}\n`,
      'main.go': `package main\n\n//go:generate ${join(root, 'evil')}\nfunc main() { var x string = 1; _ = x }\n`,
    };
    await promisify(execFile)('git', ['init', '--quiet'], { cwd: root });
    await promisify(execFile)('git', ['config', 'core.fsmonitor', join(root, 'evil')], { cwd: root });
    const env = {
      PATH: `${root}${delimiter}.${delimiter}${process.env.PATH}`,
      GOFLAGS: '-toolexec=./evil',
      CC: join(root, 'gcc'),
    };
    const found = await diagnose(files, 'main.go', { env });
    expect(found).toEqual(expect.arrayContaining([expect.stringMatching(/cannot use 1/)]));
    expect(existsSync(canary)).toBe(false);
  });
});

describe.skipIf(!isOnPath('rust-analyzer') || !isOnPath('cargo'))('rust-analyzer', () => {
  test('the launcher of cargo runs no toolchain that lies in the workspace', async () => {
    await plant(['evil/bin/cargo', 'evil/bin/rustc', 'evil/bin/rust-analyzer']);
    const files = {
      'Cargo.toml': '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub fn f() -> i32 { 1 }\n',
      'rust-toolchain.toml': `[toolchain]\npath = "${join(root, 'evil')}"\n`,
    };
    await diagnose(files, 'src/lib.rs');
    expect(existsSync(canary)).toBe(false);
  });
});

interface Surroundings {
  readonly trust?: Trust;
  readonly env?: Readonly<Record<string, string>>;
}

/** The messages a server has for a file. */
async function diagnose(
  files: Readonly<Record<string, string>>,
  path: string,
  surroundings: Surroundings = {},
): Promise<readonly string[]> {
  await using world = await World.open(files, { root, readyTimeoutMs: 20_000, ...surroundings });
  const at = world.workspace.path(path);
  const language = languageId(world.live.languageFor(at));
  await using lease = await world.view.lease(language, calm);
  const answers = await lease.diagnostics([at], { timeoutMs: 60_000 }, calm);
  return answers.flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message));
}

async function plant(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const file = join(root, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `#!/bin/sh\necho "$0 $@" >> '${canary}'\nexit 1\n`);
    await chmod(file, 0o755);
  }
}
