import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openForerun } from '../../src/host/open-forerun.ts';
import { bin, type ProgramRun, runProgram } from '../support/built-program.ts';
import { gitIn } from '../support/git-workspace.ts';
import { runInProcess } from '../support/in-process-program.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { QueueTrial, queueSecret, typescriptFiles } from '../support/queue-trial.ts';
import { hasRedis } from '../support/redis-server.ts';

const patch = (line: string) => `--- a/src/sum.ts
+++ b/src/sum.ts
@@ -1,3 +1,3 @@
-export function sum(a: number, b: number): number {
+${line}
   return a + b;
 }
`;
const breaking = patch('export function sum(a: string, b: number): string {');
const harmless = patch('export function sum(a: number, b: number, c = 0): number {');

const nowhere = { FORERUN_QUEUE_SECRET: queueSecret };

/**
 * The report without what differs from run to run, and without how files were shown that the commit of the worker does not
 * have.
 */
function reported({ stdout }: ProgramRun): unknown {
  const left = ['duration_ms', 'way', 'confinement', 'evaluated_files'];
  return JSON.parse(stdout, (key, value: unknown) => (left.includes(key) ? undefined : value));
}

/** Makes Node resolve a package as if it were not installed. */
function without(name: string): readonly string[] {
  const hook = `export const resolve = (word, context, next) => {
    if (word === '${name}') throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(word, context);
  };`;
  const script = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
  return [
    '--import',
    script(`import { register } from 'node:module'; register(${JSON.stringify(script(hook))});`),
  ];
}

describe('whatif --queue without a queue', () => {
  test('names the packages that are not installed, and how to install them', async () => {
    const program = [...without('bullmq'), bin];
    const words = ['whatif', '--queue=redis://127.0.0.1:1', '-'];
    const run = await runProgram(words, { input: breaking, env: nowhere, program });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('npm install bullmq ioredis [queue/not-installed]');
  });

  test('names the address, without its password, and what to do', async () => {
    const words = ['whatif', '--queue=redis://ada:hidden-word@127.0.0.1:1', '-'];
    const run = await runInProcess(words, { input: breaking, env: nowhere });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('no queue at redis://127.0.0.1:1: ');
    expect(run.stderr).toContain('Start Redis or Valkey at this address');
    expect(run.stderr).toContain('[queue/unreachable]');
    expect(run.stderr).not.toContain('hidden-word');
  });

  test.each<[readonly string[], Readonly<Record<string, string>>, number, string]>([
    [['--queue'], nowhere, 2, '[queue/no-address]'],
    [['--queue=redis://127.0.0.1:1'], {}, 2, '[queue/no-secret]'],
    [['--queue=redis://127.0.0.1:1'], { FORERUN_QUEUE_SECRET: 'short' }, 2, '[queue/no-secret]'],
    [['--queue', 'my.patch'], nowhere, 64, '--queue takes an address'],
  ])('whatif %j with %j', async (words, env, code, said) => {
    const run = await runInProcess(['whatif', ...words], { env });
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(said);
  });
});

describe.skipIf(!hasRedis)('whatif --queue with a worker (redis-server is needed)', () => {
  test('reports what whatif reports here: a patch, a ranking, uncommitted changes and a merge', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    const root = clones[0] ?? '';
    await trial.worker(['--repository', origin, '--name', 'w1']);
    await writeFile(join(trial.directory, 'breaking.patch'), breaking);
    await writeFile(join(trial.directory, 'harmless.patch'), harmless);
    const env = trial.variables();
    const whatif = (...words: readonly string[]) =>
      runInProcess(['whatif', '--json', ...words], { cwd: root, env });
    const same = async (code: number, ...words: readonly string[]) => {
      const [there, here] = [await whatif('--queue', ...words), await whatif(...words)];
      expect(there.stderr).not.toContain('[queue/');
      expect([there.code, here.code]).toEqual([code, code]);
      expect(reported(there)).toEqual(reported(here));
    };
    const patches = [join(trial.directory, 'breaking.patch'), join(trial.directory, 'harmless.patch')];
    await same(1, '--', patches[0] ?? '');
    await same(0, '--rank', ...patches);
    await gitIn(root, 'checkout', '-q', '-b', 'one');
    await writeFile(
      join(root, 'src/extra.ts'),
      "import { sum } from './sum.js';\nexport const five = sum(2, 3);\n",
    );
    await same(0);
    await gitIn(root, 'add', '-A');
    await gitIn(root, 'commit', '-q', '-m', 'one');
    await gitIn(root, 'checkout', '-q', '-b', 'two', 'HEAD~1');
    await writeFile(join(root, 'src/sum.ts'), typescriptFiles['src/sum.ts'].replace('sum(', 'add('));
    await writeFile(
      join(root, 'src/use.ts'),
      typescriptFiles['src/use.ts'].replaceAll('sum', 'add').replace('./add.js', './sum.js'),
    );
    await gitIn(root, 'commit', '-q', '-am', 'two');
    // Each is clean alone; together, `one` uses a name that `two` has changed.
    await same(1, '--onto', 'origin/main', '--merge', 'one', 'two');
  });

  test('the library judges on the same workers', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    await trial.worker(['--repository', origin, '--name', 'w1']);
    const evaluator = await trial.evaluator();
    await using forerun = await openForerun({ root: clones[0] ?? '', evaluator, env: trial.env() });
    expect(await forerun.check(breaking)).toMatchObject({
      verdict: { kind: 'broken', in: ['src/use.ts'] },
      worker: 'w1',
    });
  });

  test('forerun mcp --queue compares sessions on the workers', async () => {
    await using trial = await QueueTrial.open();
    const { origin, clones } = await trial.repository('sums', [typescriptFiles]);
    const root = clones[0] ?? '';
    await using worker = await trial.workerHere(origin);
    const options = { words: ['--queue'], cwd: root, env: trial.variables() };
    await using connection = await McpConnection.open(options);
    const ids: unknown[] = [];
    for (const type of ['string', 'number']) {
      const made = { workspace_root: root, language: 'typescript' };
      const session_id = (await connection.call('create_simulation_session', made)).json?.session_id;
      ids.push(session_id);
      const place = { start_line: 1, start_column: 24, end_line: 1, end_column: 30 };
      const edit = {
        session_id,
        file_path: join(root, 'src/sum.ts'),
        ...place,
        new_text: `${type} /* own */`,
      };
      expect(await connection.call('simulate_edit', edit)).toMatchObject({ isError: false });
    }
    const asked = { session_ids: ids, scope: 'workspace' };
    const { json } = await connection.call('compare_sessions', asked);
    expect(json).toMatchObject({
      ranked: [
        { session_id: ids[1], verdict: 'clean' },
        { session_id: ids[0], verdict: 'broken' },
      ],
    });
    expect(worker.metricsText()).toContain('forerun_worker_jobs_total{end="answered"} 2');
  });
});
