import { expect, test } from 'vitest';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { evaluationProgress } from './patch-check.ts';

test.each([
  [3, ['1 of 3 files checked', '2 of 3 files checked', '3 of 3 files checked']],
  [2103, Array.from({ length: 95 }, (_, at) => `${(at + 1) * 22} of 2103 files checked`)],
])('a check of %i files reports its progress a hundred times at most', (of, expected) => {
  const messages: string[] = [];
  const { onAnswered: answered } = evaluationProgress((message) => messages.push(message));
  for (let at = 1; at <= of; at++) answered(at, of);
  expect(messages).toEqual(expected);
});

test('the errors that are known before all files have answered stay in the line', () => {
  const messages: string[] = [];
  const { onAnswered, onPartial } = evaluationProgress((message) => messages.push(message));
  const [path, other] = ['a.ts' as WorkspacePath, 'b.ts' as WorkspacePath];
  const start = { line: 0, character: 0 };
  const diagnostic = { range: { start, end: start }, severity: 'error', message: 'no' } as const;
  onAnswered(1, 3);
  onPartial({ server: 'typescript', introduced: [], evaluatedFiles: [path], remaining: 2 });
  onAnswered(2, 3);
  const introduced = [{ path: other, diagnostic }];
  onPartial({ server: 'typescript', introduced, evaluatedFiles: [path, other], remaining: 1 });
  onAnswered(3, 3);
  expect(messages).toEqual([
    '1 of 3 files checked',
    '2 of 3 files checked, no errors so far',
    '3 of 3 files checked, errors so far: 1 in b.ts',
  ]);
});
