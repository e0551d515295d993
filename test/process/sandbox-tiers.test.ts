import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { allowedTiers } from '../../src/config/allowed-tiers.ts';
import { type CommitOutcome, commitOverlay } from '../../src/overlay/commit/commit.ts';
import type { Overlay } from '../../src/overlay/overlay.ts';
import { openSandbox, type Sandbox, type SandboxOptions, type Tier } from '../../src/sandbox/sandbox.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import type { SandboxTrial } from '../children/sandbox-trial.ts';
import { testState } from '../support/commit-state.ts';
import { isIsolationPossible, isolatedPlayers } from '../support/isolation.ts';
import { overlayOf, playScenario } from '../support/sandbox-scenario.ts';
import { runAsBareRoot, runAsStranger } from '../support/somebody-else.ts';
import { describeTree } from '../support/tree-hash.ts';

const { signal } = new AbortController();

let home = '';
let root = '';

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'forerun-sandbox-')));
  await chmod(home, 0o755);
  root = join(home, 'workspace');
  await plant({ 'file.txt': 'disk\n', 'other.txt': 'other\n', 'dir/inner.txt': 'inner\n' });
});

afterEach(() => rm(home, { recursive: true, force: true }));

describe('the tier', () => {
  test.each<[string | undefined, Tier]>([
    [undefined, isIsolationPossible ? 'isolated' : 'readonly'],
    ['readonly', 'readonly'],
    ['copied, readonly', 'copied'],
    ['isolated,copied', isIsolationPossible ? 'isolated' : 'copied'],
  ])('with FORERUN_SANDBOX=%s is %s', async (FORERUN_SANDBOX, tier) => {
    await using sandbox = await open({}, { tiers: allowedTiers({ FORERUN_SANDBOX }) });
    expect(sandbox.tier).toBe(tier);
  });

  test('that nobody knows is refused by name', () => {
    expect(() => allowedTiers({ FORERUN_SANDBOX: 'none' })).toThrow(
      expect.objectContaining({
        code: 'sandbox/unknown-tier',
        message: expect.stringContaining('"none"'),
      }),
    );
  });

  test('that cannot be had is refused with the reason', async () => {
    await expect(open({}, { tiers: [] })).rejects.toMatchObject({ code: 'sandbox/unavailable' });
  });

  test.runIf(isolatedPlayers.includes('an ordinary user'))(
    'is isolated for a root without the right to mount, where user namespaces give it',
    async () => {
      const command =
        'cat file.txt; rm -r dir; echo x > /proc/sys/kernel/hostname; grep CapEff /proc/self/status';
      const args = [JSON.stringify([{ root, edits: { 'file.txt': 'overlay\n' }, commands: [command] }])];
      const [account]: SandboxTrial = JSON.parse(
        await runAsBareRoot({ program: 'sandbox-trial', args, home }),
      );
      expect(account).toMatchObject({
        tier: 'isolated',
        outcomes: [
          { stdout: 'overlay\nCapEff:\t00000000000000fb\n', stderr: expect.stringContaining('Read-only') },
        ],
        changes: ['deleted dir/inner.txt'],
        isDiskUntouched: true,
      });
    },
  );

  describe.runIf(isolatedPlayers.includes('an ordinary user'))('where the kernel gives no namespaces', () => {
    test.each<[readonly Tier[] | undefined, Tier, object]>([
      [undefined, 'readonly', { kind: 'finished', stdout: 'disk\n' }],
      [['isolated', 'copied'], 'copied', { kind: 'finished', stdout: 'disk\n' }],
    ])('of %s is %s, and says why', async (tiers, tier, outcome) => {
      const args = [JSON.stringify([{ root, commands: ['cat file.txt'], tiers }])];
      const through = ['unshare', '--user', '--map-root-user', 'sh', '-c', withoutNamespaces, 'sh'];
      const printed = await runAsStranger({ program: 'sandbox-trial', args, home, through });
      const [account]: SandboxTrial = JSON.parse(printed);
      expect(account).toMatchObject({ tier, outcomes: [outcome], isDiskUntouched: true });
      expect(account?.because).toMatch(/^isolated is not possible: .*unshare/);
    });
  });
});

/** In a user namespace of its own a process may forbid itself any further one. */
const withoutNamespaces =
  'echo 0 > /proc/sys/user/max_user_namespaces && echo 0 > /proc/sys/user/max_mnt_namespaces && exec "$@"';

describe('a readonly sandbox', () => {
  const outcomeOf = async (command: string, edits = {}) =>
    (await playScenario({ root, edits, commands: [command], tiers: ['readonly'] }, signal)).outcomes[0];

  test('runs what provably only reads', async () => {
    expect(await outcomeOf('cat file.txt | wc -l')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\s*1\n$/),
    });
  });

  test.each(['rm file.txt', 'npm test', 'cat file.txt > copy.txt', 'sed -i s/a/b/ file.txt'])(
    'stops before what may write: %s',
    async (command) => {
      const before = await describeTree(root);
      expect(await outcomeOf(command)).toMatchObject({ kind: 'boundary', why: expect.stringMatching(/\w/) });
      expect(await describeTree(root)).toEqual(before);
    },
  );

  test('runs nothing once the overlay holds a change, since no command would see it', async () => {
    expect(await outcomeOf('cat file.txt', { 'file.txt': 'overlay' })).toMatchObject({
      kind: 'boundary',
      rule: 'overlay-unseen',
    });
  });

  test('takes an argument vector as the words it is', async () => {
    await plant({ 'a b$c.txt': 'odd\n' });
    await using sandbox = await open({}, { tiers: ['readonly'] });
    const outcome = await sandbox.run(['cat', 'a b$c.txt'], { timeoutMs: 10_000 }, signal);
    expect(outcome).toMatchObject({ stdout: 'odd\n' });
  });
});

const tiers: readonly Tier[] = isIsolationPossible ? ['isolated', 'copied'] : ['copied'];

describe.each(tiers)('an %s sandbox', (tier) => {
  const edits = { 'file.txt': 'overlay\n', 'made/new.txt': 'new\n', 'dir/inner.txt': null };

  test('shows its overlay to commands, and later ones as well', async () => {
    await using sandbox = await open(edits, { tiers: [tier] });
    const look = async (): Promise<string> => {
      const all = 'find . -type f | sort | while read -r f; do echo "$f $(cat "$f")"; done';
      const outcome = await sandbox.run(all, { timeoutMs: 10_000 }, signal);
      return outcome.kind === 'finished' ? outcome.stdout : outcome.why;
    };
    expect(await look()).toBe('./file.txt overlay\n./made/new.txt new\n./other.txt other\n');
    const workspace = await Workspace.open(root);
    await sandbox.show(overlayOf(workspace, { 'other.txt': 'later\n', made: 'a file\n' }), signal);
    expect(await look()).toBe('./dir/inner.txt inner\n./file.txt disk\n./made a file\n./other.txt later\n');
    expect(await sandbox.harvest(signal)).toMatchObject({ kind: 'harvested', leftOut: [] });
    await sandbox.show(overlayOf(workspace, {}), signal);
    expect(await look()).toBe('./dir/inner.txt inner\n./file.txt disk\n./other.txt other\n');
  });

  test('gives each harvest what was done since the last', async () => {
    await using sandbox = await open(edits, { tiers: [tier] });
    const doAndHarvest = async (command: string): Promise<string[]> => {
      await sandbox.run(command, { timeoutMs: 10_000 }, signal);
      const harvest = await sandbox.harvest(signal);
      if (harvest.kind !== 'harvested') return ['conflict'];
      return (await harvest.made.changes()).map(({ kind, path }) => `${kind} ${path}`);
    };
    expect(await doAndHarvest('true')).toEqual([]);
    expect(await doAndHarvest('echo 1 > one.txt')).toEqual(['created one.txt']);
    expect(await doAndHarvest('echo 2 > two.txt; rm file.txt')).toEqual([
      'deleted file.txt',
      'created two.txt',
    ]);
    expect(await doAndHarvest('rm one.txt')).toEqual(['deleted one.txt']);
  });

  test('tells what changed on disk while a command changed it too, and takes none of it', async () => {
    await using sandbox = await open({}, { tiers: [tier] });
    await sandbox.run('echo mine >> file.txt; rm -r dir', { timeoutMs: 10_000 }, signal);
    await appendFile(join(root, 'file.txt'), 'theirs\n');
    await appendFile(join(root, 'dir/inner.txt'), 'theirs\n');
    await plant({ 'unrelated.txt': 'theirs\n' });
    expect(await sandbox.harvest(signal)).toEqual({ kind: 'conflict', paths: ['dir/inner.txt', 'file.txt'] });
  });

  test('never takes what appeared on disk meanwhile for something a command removed', async () => {
    await using sandbox = await open({}, { tiers: [tier] });
    await sandbox.run(
      'ls dir; rm -r dir && mkdir dir && echo mine > dir/mine.txt',
      { timeoutMs: 10_000 },
      signal,
    );
    await plant({ 'dir/theirs.txt': 'theirs\n' });
    const harvest = await sandbox.harvest(signal);
    if (harvest.kind !== 'harvested') throw new Error('a conflict');
    expect(await commit(harvest.overlay)).toMatchObject({ kind: 'committed' });
    expect(await readFile(join(root, 'dir/theirs.txt'), 'utf8')).toBe('theirs\n');
    expect(await readFile(join(root, 'dir/mine.txt'), 'utf8')).toBe('mine\n');
  });

  test('whose harvest was overtaken on disk is refused by the commit', async () => {
    await using sandbox = await open({}, { tiers: [tier] });
    await sandbox.run('echo mine >> file.txt', { timeoutMs: 10_000 }, signal);
    const harvest = await sandbox.harvest(signal);
    await appendFile(join(root, 'file.txt'), 'theirs\n');
    if (harvest.kind !== 'harvested') throw new Error('a conflict');
    expect(await commit(harvest.overlay)).toEqual({ kind: 'conflict', paths: ['file.txt'] });
  });

  test('leaves nothing on disk', async () => {
    const before = await describeTree(home);
    const temporary = process.env.TMPDIR;
    process.env.TMPDIR = join(home, 'tmp');
    await mkdir(process.env.TMPDIR);
    try {
      await using sandbox = await open(edits, { tiers: [tier] });
      await sandbox.run('mkdir -p closed/in && chmod 000 closed', { timeoutMs: 10_000 }, signal);
    } finally {
      process.env.TMPDIR = temporary ?? '/tmp';
    }
    // Refused where anything is left in it.
    await rmdir(join(home, 'tmp'));
    expect(await describeTree(home)).toEqual(before);
  });
});

async function open(
  edits: Readonly<Record<string, string | null>>,
  options: Partial<SandboxOptions>,
): Promise<Sandbox> {
  const workspace = await Workspace.open(root);
  return openSandbox(
    workspace,
    overlayOf(workspace, edits),
    { env: process.env, log: silentLog, ...options },
    signal,
  );
}

async function commit(overlay: Overlay): Promise<CommitOutcome> {
  const options = { durability: 'process', onConflict: 'refuse', ...testState } as const;
  return commitOverlay(await Workspace.open(root), overlay, options, signal);
}

async function plant(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}
