import { expect, test } from 'vitest';
import { evaluation } from '../../test/support/evaluation.ts';
import type { EvaluationOutcome } from '../evaluation/evaluator.ts';
import { parseWorkspacePath, rootPath } from '../workspace/workspace-path.ts';
import { failureAnswer, isConclusive, outcomeFor, parseAnswer } from './answer.ts';
import { JobPoisoned } from './queue-failure.ts';

const path = parseWorkspacePath('src/a.ts') ?? rootPath;
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

function outcome(root: string, uriRoot: string): EvaluationOutcome {
  const message = `File '${root}/src/b.ts' is not a module.`;
  const related = [{ uri: `file://${uriRoot}/src/b.ts`, range, message: 'declared here' }];
  const diagnostic = { range, severity: 'error', message, related } as const;
  const introduced = [{ path, diagnostic }];
  return {
    kind: 'evaluated',
    changed: [path],
    verdict: { kind: 'broken', errors: 1, in: [path] },
    evaluations: [evaluation({ introduced })],
    unjudged: [],
  };
}

test('the outcome is in the words of the machine of the caller, and names the worker', () => {
  const given = {
    kind: 'outcome',
    outcome: outcome('/var/cache/check outs/x1', '/var/cache/check%20outs/x1'),
    root: '/var/cache/check outs/x1',
    worker: 'w1',
    warmth: 'warm',
  };
  const { answer } = parseAnswer(JSON.stringify({ answer: given, at: 1 }));
  if (answer.kind !== 'outcome') throw new Error('expected an outcome');
  expect(outcomeFor('/home/ada/my app', answer)).toEqual({
    ...outcome('/home/ada/my app', '/home/ada/my%20app'),
    worker: 'w1',
  });
});

const plain = { kind: 'outcome', root: '/r', worker: 'w', warmth: 'cold' } as const;

test.each([
  [{ ...plain, outcome: outcome('/r', '/r') }, true],
  [{ ...plain, outcome: { kind: 'stale', paths: ['a'] } }, false],
  [{ ...plain, outcome: { kind: 'evaluated', verdict: { kind: 'unknown', why: [] } } }, false],
  [failureAnswer(new JobPoisoned('it crashed'), 'w'), false],
])('%# is kept for the next caller only if it would be the same again', (answer, expected) => {
  expect(isConclusive(answer)).toBe(expected);
});
