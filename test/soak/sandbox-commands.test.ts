/** The commands people run most must work in a sandbox as they do outside. A toolchain that is absent is skipped by name. */
import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isolatedPlayers } from '../support/isolation.ts';
import { type Player, playAs } from '../support/sandbox-player.ts';
import type { SandboxAccount } from '../support/sandbox-scenario.ts';
import { isSoak } from '../support/soak.ts';

const run = promisify(execFile);

let home = '';

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'forerun-commands-')));
  await chmod(home, 0o755);
});

afterEach(() => rm(home, { recursive: true, force: true }));

interface Case {
  /** The program that must be installed. */
  readonly needs: string;
  readonly files: Readonly<Record<string, string>>;
  readonly command: string;
  readonly says: RegExp;
  /** What a user whose caches are empty runs instead, unless there is time to fill them. */
  readonly quick?: Pick<Case, 'command' | 'says'>;
}

const cases: Readonly<Record<string, Case>> = {
  'npm test': {
    needs: 'npm',
    files: {
      'package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
      'a.test.js': "require('node:test')('passes', () => {});\n",
    },
    command: 'npm test',
    says: /pass 1/,
  },
  'cargo test': {
    needs: 'cargo',
    files: {
      'Cargo.toml': '[package]\nname = "probe"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': '#[test]\nfn passes() {}\n',
      'build.rs': 'fn main() { println!("cargo::rerun-if-changed=build.rs"); }\n',
    },
    command: 'cargo test --offline',
    says: /1 passed/,
  },
  'go test': {
    needs: 'go',
    files: {
      'go.mod': 'module probe\n\ngo 1.20\n',
      'a_test.go': 'package probe\n\nimport "testing"\n\nfunc TestPasses(t *testing.T) {}\n',
    },
    command: 'go test -vet=off ./...',
    says: /ok\s+probe/,
    // To test is to compile the standard library first.
    quick: { command: 'go list -test ./...', says: /^probe\.test$/m },
  },
  pytest: {
    needs: 'pytest',
    files: { 'test_a.py': 'def test_passes(tmp_path):\n    (tmp_path / "x").write_text("x")\n' },
    command: 'pytest -q',
    says: /1 passed/,
  },
  'python virtual environment': {
    needs: 'python3',
    files: {},
    command: 'python3 -m venv .venv --without-pip && .venv/bin/python -c "import ssl, sqlite3; print(6 * 7)"',
    says: /42/,
  },
  'git status, diff, commit, log': {
    needs: 'git',
    files: { 'a.txt': 'one\n' },
    command:
      'git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm first && echo two >> a.txt && git diff --stat && git stash -q && git log --oneline --stat',
    says: /first[\s\S]*a\.txt/,
  },
  javac: {
    needs: 'javac',
    files: { 'A.java': 'class A { public static void main(String[] a) { System.out.println(6 * 7); } }\n' },
    command: 'javac A.java && java A',
    says: /42/,
  },
  make: { needs: 'make', files: { Makefile: 'all:\n\t@echo made\n' }, command: 'make', says: /made/ },
  'a C compiler': {
    needs: 'cc',
    files: { 'a.c': '#include <stdio.h>\nint main(void) { puts("compiled"); return 0; }\n' },
    command: 'cc a.c -o a && ./a',
    says: /compiled/,
  },
  'an interactive interpreter on a terminal': {
    needs: 'script',
    files: {},
    command: 'script -qec "tty; id -un; echo typed" /dev/null',
    says: /\/dev\/pts\/0[\s\S]*typed/,
  },
};

const programs = [...new Set(Object.values(cases).map(({ needs }) => needs))];
const installed: ReadonlyMap<Player, ReadonlySet<string>> = new Map(
  isolatedPlayers.map((player) => [player, programsOf(player)]),
);

describe.each(isolatedPlayers)('for %s', (player) => {
  for (const [name, { needs, files, quick, ...whole }] of Object.entries(cases)) {
    const isQuick = player === 'an ordinary user' && !isSoak();
    const { command, says } = (isQuick ? quick : undefined) ?? whole;
    const isInstalled = installed.get(player)?.has(needs) ?? false;
    test.skipIf(!isInstalled)(
      `${command === whole.command ? name : command} works${isInstalled ? '' : ` (skipped: no ${needs})`}`,
      async () => {
        const account = await playIn(player, files, [command]);
        const [outcome] = account?.outcomes ?? [];
        expect(outcome).toMatchObject({ kind: 'finished', code: 0 });
        expect(outcome?.kind === 'finished' ? outcome.stdout : '').toMatch(says);
        expect(account).toMatchObject({ tier: 'isolated', isDiskUntouched: true });
      },
    );
  }

  test('a linked worktree finds its repository, and the repository stays as it was', async () => {
    const main = join(home, 'main');
    const git = (cwd: string, ...args: string[]) =>
      run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'safe.directory=*', ...args], { cwd });
    await plant(main, { 'a.txt': 'one\n' });
    await git(main, 'init', '-q', '.');
    await git(main, 'add', '-A');
    await git(main, 'commit', '-qm', 'first');
    await git(main, 'worktree', 'add', '-q', '../linked');
    const command =
      'git -c safe.directory="*" log --format=%s; echo two > b; git add b; git -c user.name=a -c user.email=a@b commit -qm second; git log --format=%s; cat ../main/a.txt';
    const [account] = await playAs(player, home, [
      { root: join(home, 'linked'), commands: [command], tiers: ['isolated'] },
    ]);
    const [outcome] = account?.outcomes ?? [];
    expect(outcome).toMatchObject({ stdout: expect.stringMatching(/first\n(?:.*\n)*second\nfirst\n$/) });
    expect(outcome).toMatchObject({ stderr: expect.stringContaining('../main/a.txt: No such file') });
    expect((await git(main, 'log', '--all', '--format=%s')).stdout).toBe('first\n');
  });

  test('a directory of a repository sees the rest of it', async () => {
    const top = join(home, 'monorepo');
    await plant(top, {
      'node_modules/dep/index.js': 'module.exports = 42;\n',
      'packages/a/main.js': "console.log(require('dep'));\n",
    });
    await mkdir(join(top, '.git'));
    const [account] = await playAs(player, join(home, 'monorepo'), [
      { root: join(top, 'packages/a'), commands: ['node main.js; echo x > ../../made'], tiers: ['isolated'] },
    ]);
    // Where the repository is the home directory, it is private like any other.
    const expected =
      player === 'ourselves' ? { stdout: '42\n', stderr: expect.stringContaining('Read-only') } : {};
    expect(account?.outcomes[0]).toMatchObject(expected);
  });
});

/** Environments that once made the sandbox unavailable, and workspaces in odd places. */
const environments: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  'a home under /tmp': { HOME: '/tmp/forerun-home' },
  'the root directory as home': { HOME: '/' },
  'no home': { HOME: undefined },
  'a relative home': { HOME: 'here' },
  'a runtime directory in /tmp': { XDG_RUNTIME_DIR: '/tmp/runtime' },
  'a runtime directory in /run': { XDG_RUNTIME_DIR: '/run/user/0' },
  'a cluster configuration in /tmp': { KUBECONFIG: '/tmp/kubeconfig:/nowhere' },
  'caches elsewhere': {
    XDG_CACHE_HOME: '/tmp/caches',
    XDG_CONFIG_HOME: '/var/lib/conf',
    XDG_DATA_HOME: '/x/y',
  },
  'no search path': { PATH: undefined },
  'toolchains that do not exist': { CARGO_HOME: '/nowhere', GOPATH: 'relative:/', JAVA_HOME: '/' },
};

describe.runIf(isolatedPlayers.includes('ourselves'))('the sandbox opens', () => {
  test.each(Object.entries(environments))('with %s', async (_, environment) => {
    const root = join(home, 'workspace');
    await plant(root, { 'a.txt': 'a\n' });
    const before = { ...process.env };
    try {
      for (const [name, value] of Object.entries(environment)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      const command = 'cat a.txt; cd && touch made && test -w . && echo home';
      const [account] = await playAs('ourselves', home, [{ root, commands: [command], tiers: ['isolated'] }]);
      expect(account?.outcomes[0]).toMatchObject({ code: 0, stdout: 'a\nhome\n' });
    } finally {
      for (const name of Object.keys(environment)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });

  test.each(['a b', "it's", 'new\nline', '-dash', 'com,ma:colon\\slash', '$(id)', 'ünï'])(
    'on a workspace named %j',
    async (name) => {
      const root = join(home, name);
      await plant(root, { 'a.txt': 'a\n' });
      const [account] = await playAs('ourselves', home, [
        { root, commands: ['cat a.txt; echo b > b.txt; pwd'], tiers: ['isolated'] },
      ]);
      expect(account).toMatchObject({
        outcomes: [{ code: 0, stdout: `a\n${root}\n` }],
        changes: ['created b.txt'],
      });
    },
  );

  test('on the home directory itself, whose secrets stay hidden', async () => {
    await plant(home, { '.ssh/id_rsa': 'SECRET', '.netrc': 'SECRET', 'a.txt': 'a\n' });
    const before = process.env.HOME;
    process.env.HOME = home;
    try {
      const command = 'cat a.txt; cat .ssh/id_rsa .netrc ~/.ssh/id_rsa; echo b > ~/b.txt';
      const [account] = await playAs('ourselves', home, [
        { root: home, commands: [command], tiers: ['isolated'] },
      ]);
      expect(account).toMatchObject({ outcomes: [{ stdout: 'a\n' }], changes: ['created b.txt'] });
    } finally {
      process.env.HOME = before;
    }
  });
});

async function playIn(
  player: Player,
  files: Readonly<Record<string, string>>,
  commands: readonly string[],
): Promise<SandboxAccount | undefined> {
  const root = join(home, 'workspace');
  await plant(root, files);
  const [account] = await playAs(player, home, [{ root, commands, tiers: ['isolated'], timeoutMs: 220_000 }]);
  return account;
}

async function plant(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
}

/** Toolchains in root's home are closed to an ordinary user, outside as well as inside. */
function programsOf(player: Player): ReadonlySet<string> {
  const script = programs.map(
    (name) => `command -v ${name} >/dev/null && ${name} --version >/dev/null 2>&1 && echo ${name}`,
  );
  const become =
    player === 'an ordinary user'
      ? ['setpriv', '--reuid', '54321', '--regid', '54321', '--clear-groups']
      : ['env'];
  const [program = '', ...args] = [
    ...become,
    '/bin/sh',
    '-c',
    `${script.join('\n')}\ngo version >/dev/null 2>&1 && echo go\ntrue`,
  ];
  return new Set(execFileSync(program, args, { encoding: 'utf8', cwd: '/' }).split('\n'));
}
