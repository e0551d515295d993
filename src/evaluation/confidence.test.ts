import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FileDiagnostics, Proof } from '../servers/proof.ts';
import { parseWorkspacePath } from '../workspace/workspace-path.ts';
import {
  type Confidence,
  type Doubt,
  doubtsOfAnswers,
  doubtsOfBaseline,
  doubtsOfCut,
  doubtsOfDisturbance,
  doubtsOfProof,
  doubtsOfReach,
  doubtsOfScope,
  standingDoubt,
  trustIn,
} from './evaluation.ts';

function answer(proof: Proof): FileDiagnostics {
  const path = parseWorkspacePath('a.ts');
  if (path === undefined) throw new Error('not a path');
  return { path, diagnostics: [], proof };
}

const pulled = answer({ kind: 'pulled' });
const late = answer({ kind: 'none', reason: 'timeout' });
const refused = answer({ kind: 'none', reason: 'refused' });
const quiet = answer({ kind: 'quiet', quietMs: 500 });
const stopped = answer({ kind: 'none', reason: 'failed', why: 'no cargo' });
const unproved = doubtsOfProof([pulled, quiet]);
const unchecked = (sentence: string): readonly Doubt[] => [{ kind: 'unchecked', sentence }];
const busy = standingDoubt(true, 'server-busy');
const halfChecked = standingDoubt(true, 'half-checked');
const blind: readonly Doubt[] = [{ kind: 'blind-spot', sentence: 'It does not check types.' }];

const cases: readonly [string, readonly Doubt[], Confidence, string?][] = [
  ['everything proved', [...doubtsOfProof([pulled]), ...doubtsOfAnswers([pulled])], 'high'],
  ['a version proves', doubtsOfProof([answer({ kind: 'published', version: 3 })]), 'high'],
  ['a compiler proves', doubtsOfProof([answer({ kind: 'checked' })]), 'high'],
  ['a complete reach', doubtsOfReach({ complete: true }), 'high'],
  [
    'an incomplete reach',
    doubtsOfReach({ complete: false, why: 'A file could not be read.' }),
    'eventual',
    'could not be read',
  ],
  ['an incomplete reach without a reason', doubtsOfReach({ complete: false }), 'eventual', 'may be affected'],
  ['a quiet window', unproved, 'partial', 'quiet window'],
  [
    'a milder doubt after a quiet window does not make it better',
    [...unproved, ...doubtsOfReach({ complete: false }), ...standingDoubt(true, 'disk-unwatched')],
    'partial',
    'quiet window',
  ],
  ['a late answer', doubtsOfAnswers([pulled, late]), 'partial', 'a.ts'],
  ['a refused answer', doubtsOfAnswers([refused]), 'partial', 'would not answer'],
  ['late and quiet', [...unproved, ...doubtsOfAnswers([late])], 'partial'],
  ['a compiler that was stopped', doubtsOfAnswers([stopped, stopped]), 'partial', 'no cargo'],
  ['an answer that was cut short', doubtsOfCut([{ ...pulled, isCut: true }]), 'partial', 'more errors'],
  ['another program wrote the file', doubtsOfDisturbance([pulled.path]), 'partial', 'Changed on disk'],
  ['a configuration was judged by itself', doubtsOfScope([pulled.path]), 'partial', 'workspace scope'],
  ['the disk moved meanwhile', standingDoubt(true, 'disk-moved'), 'partial', 'during the evaluation'],
  ['a file of no project', unchecked('No project checks a.ts.'), 'partial', 'No project checks a.ts'],
  ['a library is missing', unchecked('Not installed here: attr.'), 'partial', 'Not installed'],
  ['the disk is not watched', standingDoubt(true, 'disk-unwatched'), 'eventual', 'not watched'],
  ['no error while busy', busy, 'low', 'indexing'],
  ['no error by a server that knows less', halfChecked, 'low', 'compiler'],
  ['no error by a server with a blind spot', blind, 'low', 'types'],
];

test.each(cases)('%s: %o is %s', (_, listed, confidence, reason) => {
  const trust = trustIn(listed, 'none');
  expect(trust.confidence).toBe(confidence);
  expect(trust.doubts.length > 0).toBe(confidence !== 'high');
  if (reason) expect(trust.doubts.join(' ')).toContain(reason);
});

test.each<[string, readonly Doubt[], Confidence]>([
  ['by a busy server', busy, 'high'],
  ['by a server that knows less', halfChecked, 'high'],
  ['by a server with a blind spot', blind, 'high'],
  ['that may be due to a missing library', unchecked('Not installed here: attr.'), 'partial'],
])('an error that was seen stands: %s', (_, listed, confidence) => {
  expect(trustIn(listed, 'introduced').confidence).toBe(confidence);
});

test('a baseline that did not settle is partial, and says so', () => {
  expect(trustIn(doubtsOfBaseline([late]), 'none')).toMatchObject({
    baselineConfidence: 'partial',
    confidence: 'high',
    doubts: [expect.stringContaining('could not be measured')],
  });
});

test('the order of doubts does not matter, and a further one never raises the confidence', () => {
  const known = cases.flatMap(([, listed]) => listed);
  const grades: readonly Confidence[] = ['high', 'eventual', 'partial', 'low'];
  fc.assert(
    fc.property(fc.shuffledSubarray(known), fc.constantFrom(...known), (listed, further) => {
      const { confidence } = trustIn(listed, 'none');
      expect(trustIn([...listed].reverse(), 'none').confidence).toBe(confidence);
      const after = trustIn([...listed, further], 'none').confidence;
      expect(grades.indexOf(after)).toBeGreaterThanOrEqual(grades.indexOf(confidence));
    }),
  );
});
