import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitAll, gitIn } from '../support/git-workspace.ts';
import { comparable, QueueTrial, typescriptFiles } from '../support/queue-trial.ts';
import { hasRedis } from '../support/redis-server.ts';
import { calm } from '../support/world.ts';

const broken = 'export function sum(a: string, b: number): string {\n  return a + b;\n}\n';
const user = (from: string) => `import { sum } from '${from}';\nexport const five: number = sum(2, 3);\n`;

/** A repository beside the clone, whose files use the library of the clone. */
async function otherRepository(trial: QueueTrial): Promise<string> {
  const other = join(trial.directory, 'other-source');
  await mkdir(other);
  await writeFile(join(other, 'part.ts'), user('../src/sum.js'));
  await commitAll(other);
  return other;
}

/** What the clone of a caller can look like. The change breaks what uses `sum`. */
const cases: readonly {
  readonly name: string;
  readonly arrange: (trial: QueueTrial, root: string) => Promise<void>;
  /** The worker cannot have some of the files; this machine says `broken` because of them. */
  readonly verdict?: 'unknown';
}[] = [
  {
    name: 'a submodule that is checked out',
    verdict: 'unknown',
    async arrange(trial, root) {
      const other = await otherRepository(trial);
      await gitIn(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'part');
      await gitIn(root, 'commit', '-q', '-m', 'a submodule');
      await gitIn(root, 'push', '-q', 'origin', 'HEAD:refs/heads/with-part');
      await rm(join(root, 'src/use.ts'));
    },
  },
  {
    name: 'a submodule that is not checked out',
    async arrange(trial, root) {
      const other = await otherRepository(trial);
      await gitIn(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'part');
      await gitIn(root, 'commit', '-q', '-m', 'a submodule');
      await gitIn(root, 'push', '-q', 'origin', 'HEAD:refs/heads/with-part');
      await gitIn(root, 'submodule', '--quiet', 'deinit', '--force', 'part');
    },
  },
  {
    name: 'another repository in an untracked directory',
    verdict: 'unknown',
    async arrange(trial, root) {
      await rm(join(root, 'src/use.ts'));
      await gitIn(root, 'clone', '-q', await otherRepository(trial), 'part');
    },
  },
  {
    name: 'a file that git ignores and that uses the change',
    verdict: 'unknown',
    async arrange(_, root) {
      await writeFile(join(root, '.gitignore'), 'local*\n');
      await writeFile(join(root, 'src/local-use.ts'), user('./sum.js'));
      await rm(join(root, 'src/use.ts'));
    },
  },
  {
    name: 'ignored files that no server of the change reads',
    async arrange(_, root) {
      await writeFile(join(root, '.gitignore'), 'local*\nnode_modules/\n.env\n');
      await mkdir(join(root, 'node_modules/left'), { recursive: true });
      await writeFile(join(root, 'node_modules/left/index.js'), 'export const left = 1;\n');
      await writeFile(join(root, 'local.py'), 'left = 1\n');
      await writeFile(join(root, '.env'), 'WORD=hidden\n');
    },
  },
  {
    name: 'a change that git was asked not to look at (assume-unchanged)',
    async arrange(_, root) {
      await gitIn(root, 'update-index', '--assume-unchanged', 'src/use.ts');
      await writeFile(join(root, 'src/use.ts'), 'export const three = 3;\n');
    },
  },
  {
    name: 'a change that git was asked to keep (skip-worktree)',
    async arrange(_, root) {
      await gitIn(root, 'update-index', '--skip-worktree', 'src/use.ts');
      await writeFile(join(root, 'src/use.ts'), 'export const three = 3;\n');
    },
  },
  {
    name: 'commits, staged, unstaged and new files that no worker has',
    async arrange(_, root) {
      await gitIn(root, 'checkout', '-q', '-b', 'own');
      await writeFile(join(root, 'src/one.ts'), user('./sum.js'));
      await gitIn(root, 'add', '-A');
      await gitIn(root, 'commit', '-q', '-m', 'one');
      await writeFile(join(root, 'src/two.ts'), user('./sum.js'));
      await gitIn(root, 'add', '-A');
      await writeFile(join(root, 'src/three.ts'), user('./sum.js'));
      await rm(join(root, 'src/use.ts'));
    },
  },
  {
    name: 'a history that the remote has left behind (a moved branch)',
    async arrange(_, root) {
      await gitIn(root, 'checkout', '-q', '-b', 'moved');
      await writeFile(join(root, 'src/one.ts'), user('./sum.js'));
      await gitIn(root, 'add', '-A');
      await gitIn(root, 'commit', '-q', '-m', 'one');
      await gitIn(root, 'push', '-q', 'origin', 'moved');
      await gitIn(root, 'commit', '-q', '--amend', '-m', 'one, again');
      await gitIn(root, 'push', '-q', '--force', 'origin', 'moved');
      await gitIn(root, 'reset', '-q', '--hard', 'HEAD@{1}');
    },
  },
];

describe.skipIf(!hasRedis)('the files of a caller (redis-server is needed)', () => {
  test.each(cases)('$name: the answer of this machine, or none', async ({ arrange, verdict }) => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    const root = clones[0] ?? '';
    await arrange(trial, root);
    await using _worker = await trial.workerHere(origin);
    const queued = await trial.evaluator();
    const request = await trial.request(root, { 'src/sum.ts': broken });
    const [answer, local] = [await queued.evaluate(request, calm), await trial.local(request)];
    if (verdict === undefined) expect(comparable(answer, 'near')).toEqual(comparable(local, 'near'));
    else {
      expect(local).toMatchObject({ verdict: { kind: 'broken' } });
      expect(answer).toMatchObject({
        verdict: { kind: verdict, why: [expect.stringContaining('not in git')] },
      });
    }
  });

  test('a file that git ignores and the worker does not have leaves no clean verdict', async () => {
    await using trial = await QueueTrial.open();
    const files = {
      ...typescriptFiles,
      '.gitignore': 'generated/\n',
      'src/use.ts': "import { value } from '../generated/value.js';\nexport const three: number = value;\n",
    };
    const { origin, clones } = await trial.repository('sums', [files]);
    const root = clones[0] ?? '';
    await mkdir(join(root, 'generated'));
    await writeFile(join(root, 'generated/value.ts'), 'export const value: number = 1;\n');
    await using _worker = await trial.workerHere(origin);
    const queued = await trial.evaluator();
    const asked = { 'src/use.ts': `${files['src/use.ts']}export const four: string = value;\n` };
    const request = await trial.request(root, asked);
    expect(await trial.local(request)).toMatchObject({ verdict: { kind: 'broken' } });
    expect(await queued.evaluate(request, calm)).toMatchObject({ verdict: { kind: 'unknown' } });
  });
});
