import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { QueueLink } from '../../src/queue/queue-link.ts';
import { CountedGit } from '../support/counted-git.ts';
import { comparable, lookedAt, QueueTrial, typescriptFiles } from '../support/queue-trial.ts';
import { hasRedis } from '../support/redis-server.ts';
import { calm } from '../support/world.ts';

const broken = 'export function sum(a: string, b: number): string {\n  return a + b;\n}\n';
const clean = '/** Adds. */\nexport function sum(a: number, b: number): number {\n  return b + a;\n}\n';

describe.skipIf(!hasRedis)('a queue with one worker (redis-server is needed)', () => {
  test('gives the answer that this machine gives, byte for byte, and names the worker', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [
      typescriptFiles,
      { 'src/more.ts': "import { sum } from './sum.js';\nexport const four: number = sum(2, 2);\n" },
    ]);
    await trial.worker(['--repository', origin, '--name', 'w1', '--concurrency', '1']);
    const queued = await trial.evaluator();
    for (const [index, root] of clones.entries()) {
      for (const text of [broken, clean]) {
        const request = await trial.request(root, { 'src/sum.ts': text });
        const answer = await queued.evaluate(request, calm);
        expect(answer, `commit ${index}`).toMatchObject({ kind: 'evaluated', worker: 'w1' });
        const commit = index === 0 ? 'same' : 'near';
        expect(comparable(answer, commit)).toEqual(comparable(await trial.local(request), commit));
      }
    }
  });

  test('moves between near commits: no checkout, no server, and only the files that the change reaches', async () => {
    await using trial = await QueueTrial.open();
    const user = (name: string) =>
      `import { sum } from './sum.js';\nexport const ${name}: number = sum(2, 2);\n`;
    const files = { ...typescriptFiles, 'src/other.ts': 'export const other: number = 1;\n' };
    const { origin, clone, commits } = await trial.history('sums', [
      {
        ...files,
        'src/third.ts': "import { other } from './other.js';\nexport const third: number = other;\n",
      },
      { 'src/other.ts': 'export const other: string = "1";\n' },
      { 'src/other.ts': files['src/other.ts'], 'src/more.ts': user('four') },
    ]);
    const [here, there] = [
      await CountedGit.in(join(trial.directory, 'caller')),
      await CountedGit.in(join(trial.directory, 'worker')),
    ];
    await using worker = await trial.workerHere(origin, { env: { ...trial.env(), PATH: there.env.PATH } });
    const queued = await trial.evaluator({ env: { ...trial.env(), PATH: here.env.PATH } });
    let number = 0;
    const ask = async (commit: number) => {
      await trial.publish(clone, commits[commit] ?? '');
      number += 1;
      const request = await trial.request(clone, { 'src/sum.ts': `${broken}// ${number}\n` });
      const answer = await queued.evaluate(request, calm);
      const local = await trial.local(request);
      // The difference changes other.ts, which third.ts sees and the change does not.
      expect(comparable(answer, 'near'), `commit ${commit}`).toEqual(comparable(local, 'near'));
      expect(lookedAt(answer)).toEqual(lookedAt(local));
    };
    for (const commit of [0, 1, 2]) await ask(commit);
    const asked = await here.during(async () => {
      const started = await there.during(() => ask(1));
      expect(started).toEqual([]);
    });
    expect(asked).toEqual(['diff-index', 'ls-files']);
    expect(worker.metricsText()).toContain('forerun_worker_evaluations_total{ready="cold"} 1');
    expect(worker.metricsText()).toContain('forerun_worker_evaluations_total{ready="near"} 3');
  });

  test('works for a user of Redis that has the rights of the guide only', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    const guide = await readFile(new URL('../../docs/guide/scale-out.md', import.meta.url), 'utf8');
    const rights = /ACL SETUSER jobs on >… ([^`]+)`/.exec(guide)?.[1]?.split(' ') ?? [];
    expect(rights).toContain('~forerun:*');
    await using link = await QueueLink.open({ url: trial.redis.url, log: silentLog });
    await link.redis.acl('SETUSER', 'jobs', 'on', '>word', ...rights);
    await link.redis.acl('SETUSER', 'default', 'off');
    const url = `redis://jobs:word@127.0.0.1:${trial.redis.port}`;
    await trial.worker(['--repository', origin, '--name', 'w1'], { FORERUN_QUEUE: url });
    const queued = await trial.evaluator({ url });
    const request = await trial.request(clones[0] ?? '', { 'src/sum.ts': broken });
    expect(await queued.evaluate(request, calm)).toMatchObject({ verdict: { kind: 'broken' }, worker: 'w1' });
    const wrong = `redis://jobs:other@127.0.0.1:${trial.redis.port}`;
    for (const options of [{}, { url: wrong }])
      await expect(trial.evaluator(options)).rejects.toMatchObject({
        code: 'queue/refused',
        message: expect.not.stringContaining('other'),
      });
  });
});
