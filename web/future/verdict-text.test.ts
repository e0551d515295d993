import { expect, test } from 'vitest';
import type { WireEvaluation } from '../../src/editor/protocol/evaluation.ts';
import { statusOf } from './verdict-text.ts';

const evaluation: WireEvaluation = {
  verdict: { kind: 'clean' },
  isProved: true,
  confidence: 'high',
  introduced: [],
  resolved: [],
  counts: { introducedErrors: 0, introduced: 0, resolved: 0, files: 14 },
  durationMs: 86,
  servers: [],
  doubts: [],
  unserved: [],
};
const broken = (...files: string[]): WireEvaluation['verdict'] => ({ kind: 'broken', errors: 2, in: files });

const cases: readonly [string, Partial<WireEvaluation>][] = [
  ['Clean · proved, 14 files', {}],
  ['Breaks 3 files · proved', { verdict: broken('b.ts', 'c.ts', 'd.ts') }],
  ['Breaks this file · 2 errors, proved', { verdict: broken('a.ts') }],
  ['Breaks 1 file or more · partial', { verdict: broken('b.ts'), isProved: false, confidence: 'partial' }],
  [
    'Unknown · the server is still indexing',
    {
      verdict: { kind: 'unknown', why: ['The server is still indexing. Ask again.'] },
      isProved: false,
      confidence: 'low',
    },
  ],
];

test.each(cases)('the status bar says: %s', (text, part) => {
  const state = {
    kind: 'checked',
    check: 1,
    unsaved: ['a.ts'],
    versions: {},
    evaluation: { ...evaluation, ...part },
    causes: [],
  } as const;
  const { word, detail } = statusOf({
    state: { ...state, unsaved: ['a.ts'], causes: [] },
    isBehind: false,
    isSaving: false,
  });
  expect(`${word} · ${detail}`).toBe(text);
});

test('text that is newer than the verdict is being checked, whatever the verdict says', () => {
  const state = {
    kind: 'checked',
    check: 1,
    unsaved: ['a.ts'],
    versions: {},
    evaluation,
    causes: [],
  } as const;
  const moment = { state: { ...state, unsaved: ['a.ts'], causes: [] }, isSaving: false };
  expect(statusOf({ ...moment, isBehind: true })).toMatchObject({ kind: 'checking', word: 'Checking' });
  expect(statusOf({ ...moment, isBehind: true, isSaving: true }).word).toBe('Saving after the check');
  expect(statusOf({ ...moment, isBehind: false }).kind).toBe('clean');
});
