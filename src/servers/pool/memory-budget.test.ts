import { expect, test } from 'vitest';
import { Log, type LogRecord, silentLog } from '../../base/log.ts';
import { memoryBudgetBytes } from './memory-budget.ts';

const gb = 1024 ** 3;

test.each([
  ['a machine', {}, { totalBytes: 10 * gb, constrainedBytes: undefined }, 6 * gb],
  ['a machine that says it has no container', {}, { totalBytes: 10 * gb, constrainedBytes: 0 }, 6 * gb],
  ['a container', {}, { totalBytes: 100 * gb, constrainedBytes: 10 * gb }, 6 * gb],
  ['a container without a limit', {}, { totalBytes: 10 * gb, constrainedBytes: 2 ** 64 }, 6 * gb],
  [
    'a user who says so',
    { FORERUN_MEMORY_MB: '512' },
    { totalBytes: 10 * gb, constrainedBytes: 0 },
    0.5 * gb,
  ],
])('the budget of %s', (_, env, memory, budget) => {
  expect(memoryBudgetBytes(env, silentLog, memory)).toBe(budget);
});

test.each(['plenty', '0', '-5', 'NaN'])('FORERUN_MEMORY_MB=%s is reported and left aside', (asked) => {
  const records: LogRecord[] = [];
  const log = new Log((record) => records.push(record));
  const memory = { totalBytes: 10 * gb, constrainedBytes: 0 };
  expect(memoryBudgetBytes({ FORERUN_MEMORY_MB: asked }, log, memory)).toBe(6 * gb);
  expect(records).toMatchObject([{ level: 'warning', fields: { FORERUN_MEMORY_MB: asked } }]);
});
