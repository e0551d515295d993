import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { QueuedEvaluator } from '../../src/queue/queued-evaluator.ts';
import { mapConcurrently } from '../../src/workspace/concurrency.ts';
import {
  comparable,
  hasNetworks,
  lookedAt,
  QueueTrial,
  type TrialRepository,
  typescriptFiles,
} from '../support/queue-trial.ts';
import { hasRedis } from '../support/redis-server.ts';
import { rounds } from '../support/soak.ts';
import { calm } from '../support/world.ts';

const wordFiles = {
  'tsconfig.json': typescriptFiles['tsconfig.json'],
  'package.json': '{"name":"words","type":"module"}\n',
  'word.ts': 'export interface Word {\n  readonly text: string;\n}\n',
  'count.ts':
    "import type { Word } from './word.js';\nexport const count = (words: readonly Word[]): number => words.length;\n",
  'print.ts':
    "import type { Word } from './word.js';\nexport const print = (word: Word): string => word.text;\n",
} as const;

const pythonFiles = {
  'pyrightconfig.json': '{"typeCheckingMode":"standard"}\n',
  'shape.py': 'def area(width: int, height: int) -> int:\n    return width * height\n',
  'use.py': 'from shape import area\n\nsquare: int = area(2, 2)\n',
} as const;

type Change = (number: number) => Readonly<Record<string, string | 'removed'>>;

/** Changes that are clean, that break another file, that add a file and that remove one. */
const changes: Readonly<Record<string, readonly Change[]>> = {
  sums: [
    (n) => ({
      'src/sum.ts': `export function sum(a: number, b: number): number {\n  return a + b + ${n};\n}\n`,
    }),
    (n) => ({ 'src/sum.ts': `export function sum(a: string, b: number): string {\n  return a + ${n};\n}\n` }),
    (n) => ({
      [`src/new-${n}.ts`]: `import { sum } from './sum.js';\nexport const x: number = sum(${n}, 1);\n`,
    }),
    (n) => ({ 'src/sum.ts': 'removed', 'src/other.ts': `export const other = ${n};\n` }),
  ],
  words: [
    (n) => ({
      'word.ts': `export interface Word {\n  readonly text: string;\n  readonly size${n}?: number;\n}\n`,
    }),
    (n) => ({ 'word.ts': `export interface Word {\n  readonly letters${n}: string;\n}\n` }),
  ],
  shapes: [
    (n) => ({ 'shape.py': `def area(width: int, height: int) -> int:\n    return width * height + ${n}\n` }),
    (n) => ({ 'shape.py': `def area(width: int) -> str:\n    return str(width + ${n})\n` }),
  ],
};

interface Task {
  readonly root: string;
  readonly files: Readonly<Record<string, string | 'removed'>>;
}

/** Every repository, commit and kind of change in turn, each with a number of its own. */
function tasks(repositories: Readonly<Record<string, TrialRepository>>, count: number): readonly Task[] {
  const names = Object.keys(changes);
  return Array.from({ length: count }, (_, index) => {
    const name = names[index % names.length] ?? '';
    const kinds = changes[name] ?? [];
    const { clones } = repositories[name] ?? { clones: [] };
    const turn = Math.floor(index / names.length);
    const files = kinds[turn % kinds.length]?.(index) ?? {};
    return { root: clones[Math.floor(turn / 2) % clones.length] ?? '', files };
  });
}

test.skipIf(!hasRedis)(
  'no answer is lost, doubled or wrong while workers are killed and the queue restarts (redis-server is needed)',
  async () => {
    await using trial = await QueueTrial.open();
    const repositories = {
      sums: await trial.repository('sums', [
        typescriptFiles,
        { 'src/use.ts': `${typescriptFiles['src/use.ts']}// 2\n` },
      ]),
      words: await trial.repository('words', [wordFiles, { 'size.ts': 'export const size = 1;\n' }]),
      shapes: await trial.repository('shapes', [pythonFiles, { 'more.py': 'more = 1\n' }]),
    };
    // One of the callers has changes that are not committed.
    await writeFile(join(repositories.words.clones[1] ?? '', 'draft.ts'), 'export const draft = true;\n');
    const words = Object.values(repositories).flatMap(({ origin }) => ['--repository', origin]);
    const flags = (name: string) => [...words, '--name', name, '--concurrency', '1'];
    const start = (name: string) => trial.worker(flags(name));
    // Where the machine allows it, two of them have a network of their own.
    const apart = (name: string) => (hasNetworks ? trial.workerApart(flags(name)) : start(name));
    const [, , cut] = [await start('w1'), await apart('w2'), await apart('w3')];
    const queued = await trial.evaluator({ deadlineMs: 220_000 });
    const count = rounds({ everyRun: 20, soak: 500 });
    const faults = new Map<number, () => Promise<unknown>>([
      [Math.floor(count / 5), async () => Promise.all([trial.workers[0]?.kill(), start('w4')])],
      [
        Math.floor(count / 2),
        async () => {
          await trial.redis.kill();
          await trial.redis.resume();
        },
      ],
      ...(hasNetworks
        ? ([
            [Math.floor((count * 3) / 10), () => cut.network('down')],
            [Math.floor((count * 4) / 10), () => cut.network('up')],
          ] as const)
        : []),
      [Math.floor((count * 3) / 4), async () => Promise.all([trial.workers[1]?.kill(), start('w5')])],
    ]);
    let answered = 0;
    const pending: Promise<unknown>[] = [];
    const workers = new Map<string, number>();
    await mapConcurrently(tasks(repositories, count), 6, async (task) => {
      const worker = await judged(trial, queued, task);
      workers.set(worker, (workers.get(worker) ?? 0) + 1);
      answered += 1;
      const fault = faults.get(answered);
      if (fault) pending.push(fault());
    });
    await Promise.all(pending);
    expect(answered).toBe(count);
    expect(pending).toHaveLength(faults.size);
    // More than one worker took part, those that came later among them.
    expect(workers.size).toBeGreaterThan(1);
  },
  1_200_000,
);

/** Returns the worker that gave the answer. */
async function judged(trial: QueueTrial, queued: QueuedEvaluator, task: Task): Promise<string> {
  const request = await trial.request(task.root, task.files);
  const [answer, local] = await Promise.all([queued.evaluate(request, calm), trial.local(request)]);
  expect(comparable(answer, 'near')).toEqual(comparable(local, 'near'));
  expect(lookedAt(answer)).toEqual(expect.arrayContaining([...lookedAt(local)]));
  return answer.kind === 'evaluated' ? (answer.worker ?? '') : '';
}
