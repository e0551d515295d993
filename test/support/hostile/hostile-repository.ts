/**
 * A repository as a stranger would send it: it compiles, and everything in it that could be executed leaves a mark.
 *
 * Invariant: the workspace, the victim beside it, the home and the marks lie in one scratch directory, which goes when the
 * repository is disposed of.
 */
import { execFile } from 'node:child_process';
import {
  appendFile,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { serverCatalogue } from '../../../src/servers/catalogue.ts';
import { resolveEmbedded } from '../../../src/servers/embedded-server.ts';
import { strangerId, strangersArguments } from '../somebody-else.ts';
import { describeTree } from '../tree-hash.ts';
import { plantedFiles, precious, sources } from './hostile-files.ts';
import { plantProgram } from './planted-program.ts';

/** Whom the repository was cloned by: us, or an ordinary user where we are root. */
export type Victim = 'ourselves' | 'ordinary user';

export class HostileRepository implements AsyncDisposable {
  readonly root: string;
  readonly home: string;
  readonly marks: string;
  readonly victim: Victim;
  readonly #scratch: string;
  #before: readonly string[] = [];

  private constructor(scratch: string, victim: Victim) {
    this.#scratch = scratch;
    this.victim = victim;
    this.root = join(scratch, 'workspace');
    this.home = join(scratch, 'home');
    this.marks = join(scratch, 'marks');
  }

  static async create(victim: Victim): Promise<HostileRepository> {
    const scratch = await realpath(await mkdtemp(join(tmpdir(), 'forerun-hostile-')));
    const repository = new HostileRepository(scratch, victim);
    await repository.#build();
    return repository;
  }

  /** What leads to a program that runs as the victim. */
  get through(): readonly string[] {
    return this.victim === 'ordinary user' ? ['/usr/bin/setpriv', ...strangersArguments] : [];
  }

  /** The victim's environment: directories of the repository stand in the search path, as `npm run` puts them there. */
  get env(): Readonly<Record<string, string>> {
    const planted = [join(this.root, 'node_modules', '.bin'), join(this.home, 'bin'), '', '.', './bin'];
    return {
      PATH: [...planted, process.env.PATH ?? ''].join(delimiter),
      HOME: this.home,
      TMPDIR: join(this.#scratch, 'tmp'),
      LANG: 'C.UTF-8',
      FORERUN_AUDIT_LOG: 'off',
      FORERUN_DAEMON: 'off',
      ...this.#toolchains,
    };
  }

  at(path: string): string {
    return join(this.root, path);
  }

  read(path: string): Promise<string> {
    return readFile(this.at(path), 'utf8');
  }

  /** The names of the planted programs that ran, each with how it was called. */
  async executed(): Promise<readonly string[]> {
    const names = (await readdir(this.marks)).sort();
    return Promise.all(
      names.map(async (name) => `${name}: ${(await readFile(join(this.marks, name), 'utf8')).trim()}`),
    );
  }

  /** Forgets what ran so far. */
  async forget(): Promise<void> {
    for (const name of await readdir(this.marks)) await rm(join(this.marks, name));
  }

  /** What changed since the repository was made: in the workspace, beside it, and in the home but for our own directories. */
  async changes(): Promise<readonly string[]> {
    const now = await this.#tree();
    const [before, after] = [new Set(this.#before), new Set(now)];
    return [
      ...this.#before.filter((line) => !after.has(line)).map((line) => `- ${line}`),
      ...now.filter((line) => !before.has(line)).map((line) => `+ ${line}`),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#scratch, { recursive: true, force: true });
  }

  /** Toolchains find themselves by the home; the victim's has none. Strangers cannot reach ours. */
  get #toolchains(): Readonly<Record<string, string>> {
    const ours = process.env.HOME ?? '/root';
    return this.victim === 'ordinary user'
      ? {}
      : {
          CARGO_HOME: process.env.CARGO_HOME ?? join(ours, '.cargo'),
          RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(ours, '.rustup'),
          PYENV_ROOT: process.env.PYENV_ROOT ?? join(ours, '.pyenv'),
        };
  }

  #tree(): Promise<readonly string[]> {
    return describeTree(this.#scratch, (path) => ours.test(`${path}/`));
  }

  async #build(): Promise<void> {
    for (const directory of [
      this.home,
      this.marks,
      join(this.#scratch, 'tmp'),
      join(this.#scratch, 'victim'),
    ])
      await mkdir(join(directory, directory.endsWith('victim') ? 'empty' : ''), { recursive: true });
    for (const name of ['precious.txt', 'settings.txt'])
      await writeFile(join(this.#scratch, 'victim', name), precious);
    await mkdir(this.root);
    await git(this.root, 'init', '-q');
    for (const [path, text] of Object.entries({ ...sources, ...plantedFiles(this.marks) })) {
      await mkdir(dirname(this.at(path)), { recursive: true });
      await writeFile(this.at(path), text);
    }
    await git(
      this.root,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'first',
    );
    await git(this.root, 'add', 'math.ts', 'app.ts', 'shapes.py');
    await symlink(join('..', 'victim'), this.at('out'));
    await this.#plantPrograms();
    await appendFile(this.at('.git/config'), await this.read('.git/evil-config'));
    await this.#plantHooks();
    if (this.victim === 'ordinary user') await giveAway(this.#scratch);
    this.#before = await this.#tree();
  }

  /** Wherever a server, or a program that a server or we would call, might be looked for. */
  async #plantPrograms(): Promise<void> {
    const names = [...new Set([...serverPrograms, ...calledPrograms])];
    for (const directory of [
      'node_modules/.bin',
      '.venv/bin',
      'venv/bin',
      'bin',
      '.bin',
      '.cargo/bin',
      '.',
    ]) {
      for (const name of names.filter((each) => directory !== '.' || !(each in plainNames)))
        await this.#plant(`${directory}/${name}`, `${directory}/${name}`);
    }
    await symlink(this.at('bin'), join(this.home, 'bin'));
    // Version 7 of TypeScript is a native program in a package of its own.
    const native = `@typescript/typescript-${process.platform}-${process.arch}`;
    const [real = ''] = resolveEmbedded('typescript');
    await this.#write('node_modules/typescript/package.json', '{ "name": "typescript", "version": "7.0.2" }');
    await this.#write(
      `node_modules/${native}/package.json`,
      JSON.stringify({ name: native, version: '7.0.2' }),
    );
    await this.#plant(`node_modules/${native}/lib/tsc`, 'own-typescript', [real]);
    for (const name of ['python', 'python3']) {
      await this.#plant(`.venv/bin/${name}`, `.venv/bin/${name}`, [
        '/usr/bin/env',
        '-u',
        'PATH',
        systemPython,
      ]);
    }
  }

  async #plantHooks(): Promise<void> {
    const hooks = [
      'pre-commit',
      'post-checkout',
      'post-index-change',
      'fsmonitor-watchman',
      'reference-transaction',
    ];
    for (const hook of hooks) {
      await this.#plant(`.git/hooks/${hook}`, `git-hook-${hook}`);
      await this.#plant(`hooks/${hook}`, `git-hook-${hook}`);
    }
  }

  #plant(path: string, name: string, real?: readonly string[]): Promise<void> {
    return plantProgram({ path: this.at(path), marks: this.marks, name, ...(real && { real }) });
  }

  async #write(path: string, text: string): Promise<void> {
    await mkdir(dirname(this.at(path)), { recursive: true });
    await writeFile(this.at(path), text);
  }
}

/** What Forerun keeps for its user, and what programs keep in the directory for temporary files. */
const ours =
  /^(?:home\/(?:\.local(?:\/state(?:\/forerun.*)?)?|\.cache(?:\/(?:forerun|go-build|gopls|clangd|rust-analyzer|node).*)?|\.config(?:\/(?:go|forerun).*)?|go(?:\/.*)?)(?:\/| )|tmp\/|marks\/)/;

const serverPrograms: readonly string[] = serverCatalogue.flatMap(({ command, binaryNames = [] }) => [
  command[0] ?? '',
  ...binaryNames,
]);

/** Programs that servers, checks, tools and the sandbox call by name. */
const calledPrograms: readonly string[] = [
  ...['node', 'npm', 'npx', 'tsc', 'tsserver', 'yarn', 'pnpm', 'corepack', 'vitest', 'jest', 'eslint'],
  ...['python', 'python3', 'pip', 'pytest', 'pydoc', 'pyright', 'basedpyright'],
  ...[
    'cargo',
    'rustc',
    'rustup',
    'rustfmt',
    'go',
    'gofmt',
    'gopackagesdriver',
    'go1.21-evil',
    'cc',
    'gcc',
    'clang',
  ],
  ...[
    'git',
    'sh',
    'bash',
    'env',
    'cat',
    'true',
    'unshare',
    'nsenter',
    'setpriv',
    'mount',
    'ip',
    'bwrap',
    'rg',
    'fd',
  ],
  ...[
    'gradle',
    'gradlew',
    'mvn',
    'mvnw',
    'java',
    'make',
    'cmake',
    'dotnet',
    'shellcheck',
    'ps',
    'which',
    'file',
    'getconf',
  ],
];

/** Names at the root that a directory of the repository already has. */
const plainNames: Readonly<Record<string, true>> = { bin: true };

const systemPython = '/usr/bin/python3';

async function git(cwd: string, ...words: readonly string[]): Promise<void> {
  await promisify(execFile)('git', words, { cwd, env: { PATH: process.env.PATH, HOME: cwd } });
}

async function giveAway(directory: string): Promise<void> {
  await lchown(directory, strangerId, strangerId);
  for (const name of await readdir(directory, { recursive: true }))
    await lchown(join(directory, name), strangerId, strangerId);
}
