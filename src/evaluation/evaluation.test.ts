import { expect, test } from 'vitest';
import { evaluation } from '../../test/support/evaluation.ts';
import type { Severity } from '../lsp/diagnostic.ts';
import { parseWorkspacePath } from '../workspace/workspace-path.ts';
import { type Evaluation, isSafeToApply, verdictOf } from './evaluation.ts';

function finding(severity: Severity, name = 'a.ts'): Evaluation['introduced'][number] {
  const path = parseWorkspacePath(name);
  if (path === undefined) throw new Error('not a path');
  const place = { line: 0, character: 0 };
  return { path, diagnostic: { range: { start: place, end: place }, severity, message: 'm' } };
}

const cases: readonly [string, Partial<Evaluation>, string][] = [
  ['nothing found, all proved', {}, 'clean'],
  ['a new warning alone breaks nothing', { introduced: [finding('warning')] }, 'clean'],
  ['a new error', { introduced: [finding('error')] }, 'broken'],
  [
    'a new error is broken whatever the doubt',
    { introduced: [finding('error')], confidence: 'low' },
    'broken',
  ],
  [
    'an error in exchange for another',
    { introduced: [finding('error')], resolved: [finding('error')] },
    'broken',
  ],
  ['nothing found, but not in time', { confidence: 'partial' }, 'unknown'],
  ['nothing found, but not everywhere', { confidence: 'eventual' }, 'unknown'],
  ['nothing found by a busy server', { confidence: 'low' }, 'unknown'],
  ['nothing found against an unsettled baseline', { baselineConfidence: 'partial' }, 'unknown'],
];

test.each(cases)('%s', (_, parts, kind) => {
  expect(verdictOf(evaluation(parts)).kind).toBe(kind);
});

test('a broken verdict names its files once, in order', () => {
  const introduced = [finding('error', 'b.ts'), finding('error', 'a.ts'), finding('error', 'b.ts')];
  expect(verdictOf(evaluation({ introduced }))).toEqual({ kind: 'broken', errors: 3, in: ['a.ts', 'b.ts'] });
});

test.each<[string, Partial<Evaluation>, boolean]>([
  ['proved', {}, true],
  ['settled by silence', { confidence: 'eventual' }, true],
  ['one error for another', { introduced: [finding('error')], resolved: [finding('error')] }, false],
  ['more warnings', { introduced: [finding('warning')], netDelta: 1 }, false],
  ['late', { confidence: 'partial', timedOut: true }, false],
  ['doubtful', { confidence: 'low' }, false],
  [
    'fewer errors than a baseline that was not measured',
    { baselineConfidence: 'partial', netDelta: -3 },
    false,
  ],
])('safe to apply: %s', (_case, parts, expected) => {
  expect(isSafeToApply(evaluation(parts))).toBe(expected);
});
