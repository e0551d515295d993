import { expect, test } from 'vitest';
import { Progress, type ProgressRules } from './progress.ts';

const plain: ProgressRules = { quiescence: 'unannounced', untitledWork: 'counts' };
const forever = new AbortController().signal;
const begin = (token: string | number) => ({
  token,
  value: { kind: 'begin', title: 'Loading', percentage: 0 },
});
const end = (token: string | number) => ({ token, value: { kind: 'end' } });

test('a server is busy from the first beginning to the last end', async () => {
  const progress = new Progress(plain, forever);
  const busy: boolean[] = [];
  const steps = [
    begin('a'),
    begin(1),
    { token: 'a', value: { kind: 'report', message: '1/2', percentage: 50 } },
  ];
  for (const step of [...steps, end('a'), end(1), end('unknown')]) {
    progress.report(step);
    busy.push(progress.isBusy);
  }
  expect(busy).toEqual([true, true, true, true, false, false]);
  await progress.whenIdle(forever);
});

test('what is under way is told with its latest message', () => {
  const progress = new Progress(plain, forever);
  progress.report(begin('a'));
  progress.report({ token: 'a', value: { kind: 'report', message: '1/2', percentage: 50 } });
  expect(progress.active).toEqual([{ token: 'a', title: 'Loading', message: '1/2', percentage: 50 }]);
});

test('a server that announces quiescence is busy until it has', async () => {
  const progress = new Progress({ ...plain, quiescence: 'announced' }, forever);
  expect(progress.isBusy).toBe(true);
  const idle = progress.whenIdle(forever);
  progress.reportStatus({ health: 'ok', quiescent: false });
  progress.reportStatus({ health: 'ok', quiescent: true });
  await idle;
  expect(progress.isBusy).toBe(false);
});

test.each([undefined, {}, { token: 1 }, { token: 1, value: {} }, { token: {}, value: { kind: 'begin' } }])(
  'a report that says nothing changes nothing: %j',
  (params) => {
    const progress = new Progress(plain, forever);
    progress.report(params);
    progress.reportStatus(params);
    expect(progress.isBusy).toBe(false);
  },
);

test.each(['counts', 'passes'] as const)(
  'work without a title %s where that is said of the server',
  (untitledWork) => {
    const progress = new Progress({ ...plain, untitledWork }, forever);
    progress.report({ token: 'a', value: { kind: 'begin', title: '' } });
    progress.report({ token: 'a', value: { kind: 'report', message: '2 files to analyze' } });
    expect(progress.isBusy).toBe(untitledWork === 'counts');
  },
);

test('waiting ends when the server does', async () => {
  const life = new AbortController();
  const progress = new Progress({ ...plain, quiescence: 'announced' }, life.signal);
  const idle = progress.whenIdle(forever);
  life.abort('crashed');
  await expect(idle).rejects.toBe('crashed');
});
