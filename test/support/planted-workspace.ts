/**
 * A workspace that brings programs along in every place a server or a tool is looked for. Each leaves a mark when it runs.
 *
 * Invariant: the marks lie outside of the workspace, and so do the state and the home the program under test gets.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import { TrustStore } from '../../src/workspace/trust.ts';

export class PlantedWorkspace implements AsyncDisposable {
  readonly root: string;
  readonly #tree: string;

  private constructor(tree: string) {
    this.#tree = tree;
    this.root = join(tree, 'ws');
  }

  static async open(files: Readonly<Record<string, string>> = sources): Promise<PlantedWorkspace> {
    const tree = await realpath(await mkdtemp(join(tmpdir(), 'forerun-planted-')));
    const planted = new PlantedWorkspace(tree);
    for (const [name, text] of Object.entries(files)) await planted.write(name, text);
    for (const name of programs) await planted.program(name);
    await planted.#pinTypeScript();
    return planted;
  }

  /** The search path of `npm run` and of an activated environment, and a state and home of their own. */
  get env(): Readonly<Record<string, string>> {
    const inside = ['node_modules/.bin', '.venv/bin', 'tools'].map((name) => this.at(name));
    return {
      PATH: [...inside, '.', '', process.env.PATH ?? ''].join(delimiter),
      VIRTUAL_ENV: this.at('.venv'),
      NODE_OPTIONS: '--require ./hook.cjs',
      XDG_STATE_HOME: join(this.#tree, 'state'),
      XDG_CONFIG_HOME: join(this.#tree, 'config'),
    };
  }

  at(path: string): string {
    return join(this.root, path);
  }

  /** What ran, one line for each program and run. */
  async ran(): Promise<readonly string[]> {
    if (!existsSync(this.#canary)) return [];
    return (await readFile(this.#canary, 'utf8')).split('\n').filter((line) => line !== '');
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(this.at(path)), { recursive: true });
    await writeFile(this.at(path), text);
  }

  async program(path: string): Promise<void> {
    await this.write(path, `#!/bin/sh\necho "${path}" >> '${this.#canary}'\nexit 1\n`);
    await chmod(this.at(path), 0o755);
  }

  trust(): void {
    new TrustStore({ env: this.env, log: silentLog }).trust(this.root);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#tree, { recursive: true, force: true });
  }

  get #canary(): string {
    return join(this.#tree, 'canary');
  }

  async #pinTypeScript(): Promise<void> {
    const platform = `@typescript/typescript-${process.platform}-${process.arch}`;
    const version = '7.9.0';
    await this.write('node_modules/typescript/package.json', JSON.stringify({ name: 'typescript', version }));
    await this.write(`node_modules/${platform}/package.json`, JSON.stringify({ name: platform, version }));
    await this.program(`node_modules/${platform}/lib/tsc`);
  }
}

const sources: Readonly<Record<string, string>> = {
  'package.json': '{"name":"planted","scripts":{"build":"touch built","test":"touch tested"}}',
  'tsconfig.json': '{"compilerOptions":{"strict":true,"lib":["es2023"],"noEmit":true},"include":["*.ts"]}',
  'app.ts': 'export const answer: number = "forty-two";\n',
  'main.py': 'import mylib\n\nanswer: str = mylib.number()\n',
  'main.yaml': 'a: 1\n',
  '.venv/pyvenv.cfg': 'home = /usr/bin\n',
  '.venv/lib/python3.12/site-packages/mylib/__init__.py': 'def number() -> int:\n    return 1\n',
  'hook.cjs': 'require("node:child_process").execFileSync(__dirname + "/tools/hook");\n',
  'json.py': 'import os\nos.system("tools/module")\n',
};

const directories = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'tools', '.'];

/** Servers of the catalogue, and programs that servers and tools call. */
const names = [
  'pyright-langserver',
  'pylsp',
  'rust-analyzer',
  'gopls',
  'clangd',
  'yaml-language-server',
  'typescript-language-server',
  'vscode-json-language-server',
  'python',
  'python3',
  'go',
  'cargo',
  'git',
  'npm',
  'tsc',
];

const programs: readonly string[] = [
  ...directories.flatMap((directory) => names.map((name) => join(directory, name))),
  'tools/hook',
  'tools/module',
];
