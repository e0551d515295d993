import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { chatPaths } from '../../host/chat/chat-paths.ts';
import { OutcomeLog, type OutcomeRecord } from '../../storage/outcome-log.ts';
import { statsCommand } from './stats-command.ts';

const now = new Date('2026-06-15T12:00:00Z');

const record: OutcomeRecord = {
  at: '2026-06-15T11:00:00.000Z',
  outcome: 'accepted',
  class: 'change',
  ahead: 0,
  boundary: 'complete',
  tool_uses: 3,
  input_tokens: 40_000,
  cached_tokens: 38_000,
  cache_write_tokens: 1_000,
  output_tokens: 900,
  worked_ms: 31_000,
  saved_ms: 30_000,
};

const records: readonly OutcomeRecord[] = [
  record,
  { ...record, saved_ms: 45_500, boundary: 'bash' },
  { ...record, outcome: 'taken', saved_ms: 0, tool_uses: 0, boundary: undefined },
  { ...record, outcome: 'aborted', reason: 'typed', saved_ms: 0 },
  { ...record, outcome: 'aborted', reason: 'predecessor', ahead: 1, saved_ms: 0, boundary: undefined },
  { ...record, outcome: 'silent', reason: 'done', class: undefined, saved_ms: 0, boundary: undefined },
  { ...record, at: '2026-05-01T00:00:00.000Z' },
];

const root = '/home/somebody/work';

async function stats(kept: readonly OutcomeRecord[], format: 'human' | 'json', days = 30): Promise<string> {
  const state = await mkdtemp(join(tmpdir(), 'forerun-stats-'));
  try {
    const env = { XDG_STATE_HOME: state };
    const { outcomes: path } = chatPaths(env, '');
    if (kept.length > 0) {
      await using log = new OutcomeLog({ path, log: silentLog });
      for (const each of kept) await log.record(each);
      expect(await log.since(new Date(0))).toHaveLength(kept.length);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      await appendFile(path, '{"at":"2026-06-15T11:00:00.000Z","outcome":"exploded"}\n{"torn');
    }
    return (await statsCommand({ days, format, env, now, root, dailyTokens: 300_000 })).text;
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}

test('where nothing was recorded that is what is said', async () => {
  expect(await stats([], 'human', 1)).toBe('No speculation in the last 1 day.\n');
});

test('a person reads what was saved and what it cost', async () => {
  expect(await stats(records, 'human')).toMatchInlineSnapshot(`
    "Speculation in the last 30 days:
      time saved    1 min 16 s
      suggestions   4 shown, 3 accepted (75 %), 1 of them text only; 1 time silent
      tokens        245,400 spent (93 % from a cache), 81,800 saved by what was accepted
      ended by      done 1, predecessor 1, typed 1
      worked until  complete 2, bash 1
    "
  `);
});

test('a program reads the same as JSON', async () => {
  expect(JSON.parse(await stats(records, 'json'))).toEqual({
    days: 30,
    shown: 4,
    accepted: 2,
    taken: 1,
    aborted: 2,
    silent: 1,
    acceptance_rate: 0.75,
    time_saved_ms: 75_500,
    tokens: { spent: 245_400, saved: 81_800, cached: 228_000 },
    reasons: { done: 1, predecessor: 1, typed: 1 },
    boundaries: { complete: 2, bash: 1 },
    unworked: {},
    paused: null,
  });
});

test('older records count when they are asked for', async () => {
  expect(JSON.parse(await stats(records, 'json', 90))).toMatchObject({ shown: 5, accepted: 3 });
});

describe('a pause', () => {
  const { workspace } = chatPaths({}, root);
  const rejected = { ...record, workspace, outcome: 'aborted', reason: 'dismissed', saved_ms: 0 } as const;

  test('is explained with the way back', async () => {
    const text = await stats(
      Array.from({ length: 6 }, (_, index) => ({ ...rejected, at: `2026-06-15T11:5${index}:00.000Z` })),
      'human',
    );
    expect(text).toContain('none of the last 6 suggestions was accepted');
    expect(text).toContain('/speculation on');
  });

  test('of another workspace is none of this one', async () => {
    const elsewhere = Array.from({ length: 9 }, () => ({ ...rejected, workspace: 'another' }));
    expect(JSON.parse(await stats(elsewhere.slice(0, 6), 'json'))).toMatchObject({ paused: null });
  });

  test('for a budget names the setting', async () => {
    const spent = { ...rejected, counted_tokens: 300_000, workspace: 'another' };
    expect(JSON.parse(await stats([spent], 'json'))).toMatchObject({
      paused: expect.stringContaining('speculation.dailyTokens'),
    });
  });

  test('suggestions that were only shown are told with the reason', async () => {
    const shown = { ...record, outcome: 'taken', unworked: 'does_not_pay', boundary: undefined } as const;
    expect(await stats([shown, shown], 'human')).toContain('only shown    does_not_pay 2');
  });
});
