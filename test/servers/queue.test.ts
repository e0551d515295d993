import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { QueueLink } from '../../src/queue/queue-link.ts';
import { comparable, QueueTrial, typescriptFiles } from '../support/queue-trial.ts';
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
