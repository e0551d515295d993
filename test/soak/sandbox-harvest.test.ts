import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commitOverlay } from '../../src/overlay/commit/commit.ts';
import type { Tier } from '../../src/sandbox/sandbox.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { testState } from '../support/commit-state.ts';
import { isIsolationPossible, isolatedPlayers } from '../support/isolation.ts';
import { type Player, playAs } from '../support/sandbox-player.ts';
import {
  overlayOf,
  playScenario,
  type SandboxAccount,
  type SandboxScenario,
} from '../support/sandbox-scenario.ts';
import { rounds } from '../support/soak.ts';
import { describeTree } from '../support/tree-hash.ts';

const { signal } = new AbortController();
const run = promisify(execFile);

let home = '';
/** What every tree begins as; lies outside the homes, which are given to whoever plays. */
let templates = '';

beforeAll(async () => {
  templates = await realpath(await mkdtemp(join(tmpdir(), 'forerun-harvest-')));
  for (const kind of ['repository', 'bare'] as const) await makeTemplate(join(templates, kind), kind);
});

afterAll(() => rm(templates, { recursive: true, force: true }));

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'forerun-sandbox-')));
  await chmod(home, 0o755);
});

afterEach(() => rm(home, { recursive: true, force: true }));

/** What commands of every sort do to the tree below, each on a tree of its own, with edits laid over it. */
const commands: Readonly<Record<string, string>> = {
  'a test run that leaves files behind': 'npm test',
  'an edit in place': "sed -i 's/disk/changed/' kept.txt src/edited.ts",
  'a commit': 'git add -A && git commit -qm two && git log --format=%s | head -1 > log.txt',
  'a directory removed': 'rm -rf lib',
  'a directory removed and made anew': 'rm -rf lib && mkdir lib && echo new > lib/fresh.txt',
  'a directory made anew with a name it had':
    'rm -rf lib && mkdir -p lib/deep && echo other > lib/deep/one.txt',
  'a directory moved': 'mv lib moved',
  'a directory moved and changed': 'mv lib moved && echo more >> moved/two.txt && rm moved/deep/one.txt',
  'bits changed': 'chmod 755 kept.txt && chmod 644 run.sh && chmod 600 src/edited.ts',
  'links made and removed': 'ln -s kept.txt new-link && ln -s lib dir-link && ln -s /nowhere out && rm link',
  'a link turned': 'ln -sfn lib/two.txt link',
  'a write through a link': 'echo through >> link',
  'a hard link made': 'ln kept.txt hard.txt',
  'a file in place of a directory': 'rm -rf lib && echo file > lib',
  'a directory in place of a file': 'rm kept.txt && mkdir kept.txt && echo below > kept.txt/below.txt',
  'only touched': 'touch kept.txt lib/two.txt && chmod 644 kept.txt && cat lib/deep/one.txt > /dev/null',
  'what the overlay made, removed': 'rm -rf made src/edited.ts',
  'what the overlay removed, made again': 'printf disk > gone.txt && echo x > lib/again.txt',
  'what the overlay changed, put back': 'git checkout -q src/edited.ts',
  'bytes that are no text': 'head -c 4096 /dev/zero > zero.bin && printf "\\377\\376" > latin.txt',
  'odd names':
    'echo a > "$(printf "new\\nline")" && echo b > "  blanks " && echo c > -dash && echo d > "ünï"',
  'an append to a large file': 'seq 100000 > large.txt && sed -i 500d large.txt',
  'files swapped': 'mv kept.txt t && mv lib/two.txt kept.txt && mv t lib/two.txt',
  'everything removed': 'rm -rf lib src made kept.txt run.sh link',
};

/** The edits the commands find, made nowhere but in the overlay. */
const edits = { 'src/edited.ts': 'overlay disk\n', 'made/by/overlay.txt': 'made\n', 'gone.txt': null };

const runners: readonly { readonly player: Player; readonly tier: Tier }[] = [
  ...isolatedPlayers.map((player) => ({ player, tier: 'isolated' as const })),
  { player: 'ourselves', tier: 'copied' },
];

/** The files that each command leaves where nothing confines it. */
const leftForReal = new Map<string, Promise<readonly string[]>>();

function filesLeftForReal(name: string): Promise<readonly string[]> {
  const known = leftForReal.get(name);
  if (known) return known;
  const found = (async () => {
    const real = await plant('real');
    await runForReal(real, commands[name] ?? '');
    return await filesOf(real);
  })();
  leftForReal.set(name, found);
  return found;
}

describe.each(runners)('commands run by $player, $tier', ({ player, tier }) => {
  test('leave the disk alone, and their harvest commits to the tree they would have left', async () => {
    const names = Object.keys(commands);
    const scenarios: SandboxScenario[] = [];
    for (const name of names) {
      const root = await plant(`tree-${scenarios.length}`);
      scenarios.push({ root, edits, commands: [commands[name] ?? ''], tiers: [tier], afterwards: 'commit' });
    }
    for (const [index, account] of (await playAs(player, home, scenarios)).entries()) {
      const name = names[index] ?? '';
      expect(account, name).toMatchObject({
        tier,
        outcomes: [{ code: 0 }],
        isDiskUntouched: true,
        leftOut: [],
        committed: 'committed',
      });
      expect(await filesOf(scenarios[index]?.root ?? ''), name).toEqual(await filesLeftForReal(name));
    }
  });
});

const tiers: readonly Tier[] = isIsolationPossible ? ['isolated', 'copied'] : ['copied'];

describe.each(tiers)('a harvest, %s', (tier) => {
  const changesOf = async (command: string): Promise<SandboxAccount> =>
    playScenario({ root: await plant(`tree-${tier}`), edits, commands: [command], tiers: [tier] }, signal);

  test.each([
    ['only touched', commands['only touched'] ?? '', []],
    ['a file moved', 'mv kept.txt lib/elsewhere.txt', ['renamed kept.txt -> lib/elsewhere.txt']],
    [
      'a directory moved',
      'mv lib moved',
      ['renamed lib/deep/one.txt -> moved/deep/one.txt', 'renamed lib/two.txt -> moved/two.txt'],
    ],
    ['bits', 'chmod 755 kept.txt', ['modified kept.txt']],
    ['removed', 'rm -rf lib', ['deleted lib/deep/one.txt', 'deleted lib/two.txt']],
    ['what the overlay made', 'rm -rf made', ['deleted made/by/overlay.txt']],
  ])('names what was done: %s', async (_, command, changes) => {
    expect(await changesOf(command)).toMatchObject({ harvest: 'harvested', changes });
  });

  test('tells of a commit and keeps it out of the overlay', async () => {
    const account = await changesOf('git add -A && git commit -qm two');
    expect(account.changes).toEqual([]);
    expect(account.repository).toEqual(
      expect.arrayContaining([
        '.git/refs/heads/main',
        expect.stringMatching(/^\.git\/objects \(\d+ changed\)$/),
      ]),
    );
  });

  test('says what no overlay can hold', async () => {
    const { leftOut } = await changesOf("mkfifo pipe && sed -i 's/disk/changed/' link");
    expect(leftOut).toEqual([expect.stringMatching(/^pipe: /), 'link: a file replaced a link to a file']);
  });

  test('too large to be taken over is refused by name', async () => {
    const root = await plant('tree');
    const limits = { harvest: { maxFiles: 5, maxBytes: 1000 } };
    for (const command of ['touch 1 2 3 4 5 6', 'head -c 2000 /dev/zero > zeros']) {
      await expect(
        playScenario({ root, commands: [command], tiers: [tier], limits }, signal),
      ).rejects.toMatchObject({ code: 'sandbox/harvest-too-large' });
    }
  });
});

test.each(tiers)(
  'whatever a command does to files, its %s harvest commits to the tree it would have left',
  async (tier) => {
    const names = [
      'a',
      'b',
      'lib',
      'lib/two.txt',
      'lib/deep',
      'lib/deep/one.txt',
      'new/x',
      'kept.txt',
      'src',
    ];
    const name = fc.constantFrom(...names);
    const step = fc.oneof(
      name.map((at) => `rm -rf ${at}`),
      fc.tuple(name, fc.nat(3)).map(([at, text]) => `mkdir -p $(dirname ${at}); echo ${text} > ${at}`),
      name.map((at) => `echo more >> ${at}`),
      name.map((at) => `mkdir -p ${at}`),
      fc
        .tuple(name, fc.constantFrom('600', '755', '644'))
        .map(([at, mode]) => `[ ! -f ${at} ] || chmod ${mode} ${at}`),
      fc.tuple(name, name).map(([from, to]) => `mv -T ${from} ${to}`),
      // Into itself, what a directory copies depends on the order in which it is listed.
      fc
        .tuple(name, name)
        .filter(([from, to]) => !`${to}/`.startsWith(`${from}/`))
        .map(([from, to]) => `cp -rT ${from} ${to}`),
      fc
        .tuple(name, fc.constantFrom('nowhere', '/etc/hostname'))
        .map(([at, to]) => `[ -e ${at} ] || ln -s ${to} ${at}`),
    );
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        count += 1;
        const command = `{ ${steps.join('; ')}; } 2>/dev/null; true`;
        const root = await plant(`tree-${count}`, 'bare');
        const account = await playScenario(
          { root, edits, commands: [command], tiers: [tier], afterwards: 'commit' },
          signal,
        );
        expect(account).toMatchObject({ committed: 'committed', leftOut: [] });
        const real = await plant(`real-${count}`, 'bare');
        await runForReal(real, command);
        expect(await filesOf(root)).toEqual(await filesOf(real));
        await Promise.all([root, real].map((tree) => rm(tree, { recursive: true })));
      }),
      { numRuns: rounds({ everyRun: 4, soak: 25 }) },
    );
  },
);

/** The edits made real, and then the command, with nothing around it. */
async function runForReal(root: string, command: string): Promise<void> {
  const workspace = await Workspace.open(root);
  const options = { durability: 'process', onConflict: 'refuse', ...testState } as const;
  await commitOverlay(workspace, overlayOf(workspace, edits), options, signal);
  await run('/bin/bash', ['--norc', '-c', command], { cwd: root });
}

/** Every file outside the repository; a directory is there for its files. */
async function filesOf(root: string): Promise<string[]> {
  const lines = await describeTree(root);
  return lines.filter((line) => !line.startsWith('.git/') && !/\/ \d+$/.test(line));
}

async function plant(name: string, kind: 'repository' | 'bare' = 'repository'): Promise<string> {
  const root = join(home, name);
  await rm(root, { recursive: true, force: true });
  await cp(join(templates, kind), root, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
  });
  return root;
}

async function makeTemplate(root: string, kind: 'repository' | 'bare'): Promise<void> {
  const manifest = { scripts: { test: 'mkdir -p coverage && cp src/edited.ts coverage/lines.txt' } };
  const files: Record<string, string> = {
    'package.json': JSON.stringify(manifest),
    'kept.txt': 'disk\n',
    'gone.txt': 'disk\n',
    'run.sh': '#!/bin/sh\n',
    'src/edited.ts': 'disk\n',
    'lib/two.txt': 'disk two\n',
    'lib/deep/one.txt': 'disk one\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await chmod(join(root, 'run.sh'), 0o755);
  await symlink('kept.txt', join(root, 'link'));
  if (kind === 'bare') return;
  const git = (...args: string[]) => run('git', args, { cwd: root });
  // Without the samples of hooks, which are two thirds of its files and are copied with every tree.
  await git('init', '-q', '-b', 'main', '--template=');
  await git('config', 'user.name', 'somebody');
  await git('config', 'user.email', 'somebody@example.org');
  await git('config', 'gc.auto', '0');
  await git('add', '-A');
  await git('commit', '-qm', 'one');
}
