import { expect, test } from 'vitest';
import type { MergeRun } from '../../src/editor/protocol/merge.ts';
import { aloneWords, pairWords, runWords, trainCommands } from './merge-text.ts';

const run: MergeRun = {
  run: 1,
  onto: { name: 'main', commit: 'abc' },
  sides: [{ name: 'one' }, { name: "it's" }, { name: '-x;y' }],
  pairs: [],
  train: { order: [1, 0], leftOut: [] },
  state: { kind: 'done', durationMs: 2400 },
};

test('what was not judged is never called clean', () => {
  expect(pairWords(undefined, 'checking').kind).toBe('checking');
  expect(pairWords(undefined, 'cancelled').kind).toBe('none');
  expect(pairWords({ kind: 'unknown', why: [] }, 'done').kind).toBe('unknown');
  expect(aloneWords(undefined, 'failed').kind).toBe('none');
});

test('words of cells and of the run', () => {
  expect(pairWords({ kind: 'textual', paths: ['a'] }, 'done')).toMatchObject({
    kind: 'conflict',
    word: '1 file',
    spoken: 'textual conflict in 1 file',
  });
  expect(pairWords({ kind: 'semantic', count: 2, conflicts: [] }, 'done').spoken).toBe(
    'semantic conflict, 2 errors',
  );
  expect(runWords(run)).toBe('3 pairs · 2.4 s');
});

test('the commands of the train are words of a shell', () => {
  expect(trainCommands(run)).toBe("git switch main\ngit merge --no-ff 'it'\\''s'\ngit merge --no-ff one");
});
