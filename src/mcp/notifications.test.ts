import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Channel } from '../base/channel.ts';
import type { Notice } from '../tools/workspace-notices.ts';
import { Notifications } from './notifications.ts';

let noticed: Channel<Notice>;
let reported: string[];
let notifications: Notifications;

beforeEach(() => {
  vi.useFakeTimers();
  noticed = new Channel();
  reported = [];
  notifications = new Notifications({
    notices: { noticed },
    followed: (fileUri) => [`followed ${fileUri}`],
    announce: (level, channel, data) => reported.push(`${level} ${channel} ${JSON.stringify(data)}`),
    updated: (uri) => reported.push(`updated ${uri}`),
    measureAgain: () => reported.push('measure again'),
  });
});

afterEach(() => {
  notifications[Symbol.dispose]();
  vi.useRealTimers();
});

function diagnostics(errors: number, errorsBefore?: number, uri = 'file:///a.ts'): Notice {
  const file = { uri, errors, warnings: 0, ...(errorsBefore !== undefined && { errorsBefore }) };
  return { kind: 'diagnostics', files: [file] };
}

test('diagnostics are told once they have been calm for two seconds, each file as it is then', () => {
  noticed.emit(diagnostics(2));
  vi.advanceTimersByTime(1900);
  noticed.emit(diagnostics(1));
  noticed.emit(diagnostics(0, undefined, 'file:///b.ts'));
  vi.advanceTimersByTime(1999);
  expect(reported).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(reported).toEqual([
    'info diagnostics {"type":"diagnostics","updates":[{"uri":"file:///a.ts","errors":1,"warnings":0},{"uri":"file:///b.ts","errors":0,"warnings":0}]}',
    'updated followed file:///a.ts',
    'updated followed file:///b.ts',
  ]);
});

test('a file that got worse is told after half a second, by how much over the whole of it', () => {
  noticed.emit(diagnostics(1, 0));
  vi.advanceTimersByTime(400);
  noticed.emit(diagnostics(3, 1));
  vi.advanceTimersByTime(500);
  expect(reported).toEqual([
    'warning diagnostic_regression {"type":"diagnostic_regression","file":"file:///a.ts","errors":3,"delta":3,"message":"3 new error(s) in file:///a.ts"}',
  ]);
});

test.each<[string, readonly Notice[]]>([
  ['seen for the first time', [diagnostics(3)]],
  ['that got better', [diagnostics(1, 3)]],
  ['that got worse and better again', [diagnostics(3, 1), diagnostics(1, 3)]],
])('a file %s is no regression', (_what, notices) => {
  for (const notice of notices) noticed.emit(notice);
  vi.advanceTimersByTime(1000);
  expect(reported).toEqual([]);
});

test('changes on disk are counted up and told after three calm seconds; followed files are measured sooner', () => {
  noticed.emit({ kind: 'disk', changedFiles: 2 });
  vi.advanceTimersByTime(200);
  noticed.emit({ kind: 'disk', changedFiles: 'unknown' });
  vi.advanceTimersByTime(300);
  expect(reported).toEqual(['measure again']);
  vi.advanceTimersByTime(2700);
  expect(reported.slice(1)).toEqual([
    'updated lsp-references://',
    'info file_watcher {"type":"stale_references","files_changed":3,"message":"3 file(s) changed on disk; references found before may be out of date"}',
  ]);
});

test('what becomes of a server is told at once, its readiness once', () => {
  for (const kind of ['ready', 'crashed', 'recovered', 'ready'] as const) {
    noticed.emit({ kind: 'server', event: { kind, server: 'gopls', message: kind } });
  }
  expect(reported).toEqual([
    'info workspace {"type":"workspace_ready","message":"ready"}',
    'error health {"type":"process_health","status":"crashed","message":"crashed"}',
    'info health {"type":"process_health","status":"recovered","message":"recovered"}',
  ]);
});

test('nothing is told after the end', () => {
  noticed.emit(diagnostics(1, 0));
  noticed.emit({ kind: 'disk', changedFiles: 1 });
  notifications[Symbol.dispose]();
  noticed.emit({ kind: 'server', event: { kind: 'crashed', server: 'gopls', message: '' } });
  vi.advanceTimersByTime(10_000);
  expect(reported).toEqual([]);
});
