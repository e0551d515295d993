import { expect, test } from 'vitest';
import { ConnectFailed, ServerCrashed, ServerNotFound } from '../../lsp/server-failure.ts';
import { CrashRecord } from './crash-record.ts';

const crash = new ServerCrashed('scripted', {
  exitCode: 70,
  signal: undefined,
  stderrTail: 'out of luck\n',
});

/** A record and the clock it reads. */
function begin(): { readonly record: CrashRecord; at(ms: number): void; crashAt(ms: number): void } {
  let clock = 0;
  const record = new CrashRecord('scripted', () => clock);
  return {
    record,
    at(ms) {
      clock = ms;
    },
    crashAt(ms) {
      clock = ms;
      record.add(crash, ms - 1);
    },
  };
}

test('the first start after a crash is made at once, the second a moment later, the third not at all', () => {
  const { record, crashAt } = begin();
  expect(record).toMatchObject({ pauseMs: 0, refusal: undefined });
  crashAt(1000);
  expect(record).toMatchObject({ pauseMs: 0, refusal: undefined });
  crashAt(2000);
  expect(record).toMatchObject({ pauseMs: 250, refusal: undefined });
  crashAt(3000);
  expect(record.refusal).toMatchObject({
    code: 'servers/crashes-repeatedly',
    message: expect.stringContaining('out of luck'),
    remedy: expect.stringContaining('restart it'),
  });
});

test('the pause runs from the crash, not from whoever asks', () => {
  const { record, crashAt, at } = begin();
  crashAt(1000);
  crashAt(2000);
  at(2100);
  expect(record.pauseMs).toBe(150);
  at(2300);
  expect(record.pauseMs).toBe(0);
});

test('a minute without a crash, or a restart, begins a new record', () => {
  for (const reset of ['time', 'restart'] as const) {
    const { record, crashAt, at } = begin();
    for (const ms of [1000, 2000, 3000]) crashAt(ms);
    if (reset === 'time') at(63_001);
    else record.clear();
    expect(record, reset).toMatchObject({ pauseMs: 0, refusal: undefined });
  }
});

test('servers that crash together have crashed once (the invariant)', () => {
  const { record, at } = begin();
  at(1000);
  for (const startedAt of [100, 200, 300]) record.add(crash, startedAt);
  expect(record).toMatchObject({ pauseMs: 0, refusal: undefined });
});

test.each([
  ['is not installed', new ServerNotFound('gopls', undefined)],
  ['cannot be reached', new ConnectFailed('127.0.0.1:1', new Error('refused'))],
])('a server that %s is tried as often as somebody asks', (_, failure) => {
  const { record, at } = begin();
  for (const ms of [1, 2, 3, 4]) {
    at(ms);
    record.add(failure, ms);
  }
  expect(record).toMatchObject({ pauseMs: 0, refusal: undefined });
});
