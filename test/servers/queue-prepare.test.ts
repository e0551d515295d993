import { describe, expect, test } from 'vitest';
import { Log, silentLog } from '../../src/base/log.ts';
import { Forerun } from '../../src/host/forerun.ts';
import { checkoutPreparation } from '../../src/queue/checkout-preparation.ts';
import { isIsolationPossible } from '../support/isolation.ts';
import { QueueTrial, typescriptFiles } from '../support/queue-trial.ts';
import { hasRedis } from '../support/redis-server.ts';
import { calm } from '../support/world.ts';

const files = {
  ...typescriptFiles,
  '.gitignore': 'generated/\n',
  'src/use.ts': "import { value } from '../generated/value.js';\nexport const three: number = value;\n",
};
const change = { 'src/use.ts': `${files['src/use.ts']}export const four: number = value;\n` };

describe.skipIf(!hasRedis || !isIsolationPossible)(
  '--prepare (redis-server and namespaces are needed)',
  () => {
    test('puts files in place that git ignores, without network', async () => {
      await using trial = await QueueTrial.open();
      const { origin, clones } = await trial.repository('sums', [files]);
      const generate = 'mkdir -p generated && echo "export const value: number = 1;" > generated/value.ts';
      const offline = '! (exec 3<>/dev/tcp/127.0.0.1/$QUEUE_PORT) 2>/dev/null';
      const command = `${offline.replace('$QUEUE_PORT', String(trial.redis.port))} && ${generate}`;
      await trial.worker([
        '--repository',
        origin,
        '--prepare',
        `bash -c '${command.replaceAll("'", "'\\''")}'`,
      ]);
      const queued = await trial.evaluator();
      const answer = await queued.evaluate(await trial.request(clones[0] ?? '', change), calm);
      expect(answer).toMatchObject({ kind: 'evaluated', verdict: { kind: 'clean' } });
    });

    test('runs once for checkouts whose files that name dependencies are the same', async () => {
      await using trial = await QueueTrial.open();
      const bump = { 'package.json': '{"name":"sums","type":"module","version":"2.0.0"}\n' };
      const sums = await trial.repository('sums', [files, bump]);
      const other = await trial.repository('other', [files]);
      const by: string[] = [];
      const log = new Log(({ event, fields }) => {
        if (event === 'worker.prepared') by.push(String(fields.by));
      });
      const env = trial.env();
      const forerun = new Forerun({ definitions: 'detect', log: silentLog, env, daemon: 'off' });
      const command =
        'mkdir -p generated && echo "export const value: number = 1;" > generated/value.ts && ln -s value.ts generated/again.ts';
      await using _worker = await trial.workerHere(sums.origin, {
        repositories: [sums.origin, other.origin],
        checkouts: 1,
        forerun,
        prepare: checkoutPreparation({ command, forerun, env, log }),
      });
      const queued = await trial.evaluator();
      const [first = '', second = ''] = sums.clones;
      // With one checkout, each of these needs a new one. The numbers make them different jobs.
      for (const [number, root] of [first, other.clones[0] ?? '', first, second, first].entries()) {
        const text = `${change['src/use.ts']}export const own = ${number};\n`;
        const answer = await queued.evaluate(await trial.request(root, { 'src/use.ts': text }), calm);
        expect(answer).toMatchObject({ kind: 'evaluated', verdict: { kind: 'clean' } });
      }
      expect(by).toEqual(['the command', 'the command', 'an earlier run', 'the command', 'an earlier run']);
    });

    test.each([
      ['fails', 'echo no such package >&2; exit 3', 'no such package'],
      ['changes a file of the commit', 'echo "" >> src/use.ts', 'it changed src/use.ts'],
      ['adds a file that git does not ignore', 'echo "" > other.ts', 'it changed other.ts'],
    ])('a command that %s fails the job by name', async (_, command, said) => {
      await using trial = await QueueTrial.open();
      const { origin, clones } = await trial.repository('sums', [files]);
      await trial.worker(['--repository', origin, '--prepare', command]);
      const queued = await trial.evaluator();
      const asked = queued.evaluate(await trial.request(clones[0] ?? '', change), calm);
      await expect(asked).rejects.toMatchObject({
        code: 'queue/preparation-failed',
        message: expect.stringContaining(said),
      });
    });
  },
);
