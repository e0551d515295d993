import { expect, test } from 'vitest';
import type { FileDiagnostics, Proof } from '../servers/proof.ts';
import { parseWorkspacePath } from '../workspace/workspace-path.ts';
import { type Circumstances, judge } from './confidence.ts';

function answer(proof: Proof): FileDiagnostics {
  const path = parseWorkspacePath('a.ts');
  if (path === undefined) throw new Error('not a path');
  return { path, diagnostics: [], proof };
}

const pulled = answer({ kind: 'pulled' });
const late = answer({ kind: 'none', reason: 'timeout' });
const refused = answer({ kind: 'none', reason: 'refused' });
const quiet = answer({ kind: 'quiet', quietMs: 500 });

const fine: Circumstances = {
  scope: 'file',
  reach: { complete: true },
  before: [pulled],
  after: [pulled],
  isClean: true,
  changedUnderneath: [],
  beyondScope: [],
  diskMoved: false,
  isBlind: false,
  isBusy: false,
  unchecked: [],
  isHalfChecked: false,
};

const cases: readonly [string, Partial<Circumstances>, ReturnType<typeof judge>['confidence'], string?][] = [
  ['everything proved', {}, 'high'],
  ['a version proves', { after: [answer({ kind: 'published', version: 3 })] }, 'high'],
  ['a compiler proves', { scope: 'workspace', after: [answer({ kind: 'checked' })] }, 'high'],
  ['a complete reach', { scope: 'workspace' }, 'high'],
  [
    'an incomplete reach',
    { scope: 'workspace', reach: { complete: false, why: 'A file could not be read.' } },
    'eventual',
    'could not be read',
  ],
  ['an incomplete reach does not matter to a file', { reach: { complete: false } }, 'high'],
  ['a quiet window', { after: [quiet] }, 'partial', 'quiet window'],
  ['a quiet window before the change', { before: [quiet] }, 'partial', 'quiet window'],
  [
    'what comes after a quiet window does not make it better',
    { after: [quiet], scope: 'workspace', reach: { complete: false }, isBlind: true },
    'partial',
    'quiet window',
  ],
  ['a late answer', { after: [pulled, late] }, 'partial', 'a.ts'],
  ['a refused answer', { after: [refused] }, 'partial', 'would not answer'],
  ['late outweighs quiet', { after: [quiet, late] }, 'partial'],
  ['somebody else wrote the file', { changedUnderneath: [pulled.path] }, 'partial', 'Changed on disk'],
  ['a configuration was judged by itself', { beyondScope: [pulled.path] }, 'partial', 'workspace scope'],
  ['the disk moved meanwhile', { diskMoved: true }, 'partial', 'during the evaluation'],
  ['a file of no project', { unchecked: ['No project checks a.ts.'] }, 'partial', 'No project checks a.ts'],
  ['a library is missing', { unchecked: ['Not installed here: attr.'] }, 'partial', 'Not installed'],
  [
    'an error that may be due to a missing library',
    { unchecked: ['Not installed here: attr.'], isClean: false },
    'partial',
  ],
  ['nobody watches the disk', { isBlind: true }, 'eventual', 'not watched'],
  ['clean while busy', { isBusy: true }, 'low', 'indexing'],
  ['broken while busy', { isBusy: true, isClean: false }, 'high'],
  ['clean by a server that knows less', { isHalfChecked: true }, 'low', 'compiler'],
  ['broken by a server that knows less', { isHalfChecked: true, isClean: false }, 'high'],
];

test.each(cases)('%s: %o is %s', (_, circumstances, confidence, reason) => {
  const judged = judge({ ...fine, ...circumstances });
  expect(judged.confidence).toBe(confidence);
  expect(judged.doubts.length > 0).toBe(confidence !== 'high');
  if (reason) expect(judged.doubts.join(' ')).toContain(reason);
});

test('a baseline that did not settle is partial, and says so', () => {
  expect(judge({ ...fine, before: [late] })).toMatchObject({
    baselineConfidence: 'partial',
    confidence: 'high',
  });
});
