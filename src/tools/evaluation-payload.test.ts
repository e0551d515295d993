import { expect, test } from 'vitest';
import { evaluation } from '../../test/support/evaluation.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { parseWorkspacePath } from '../workspace/workspace-path.ts';
import { evaluationHint } from './evaluation-payload.ts';

const evaluatedFiles = [parseWorkspacePath('a.ts') ?? expect.fail()];

test.each<[string, Partial<Evaluation>, string]>([
  ['counted', { dependentsNotChecked: 3 }, 'in this file; 3 files that depend on it not checked'],
  ['one', { dependentsNotChecked: 1 }, 'in this file; 1 file that depends on it not checked'],
  ['none', { dependentsNotChecked: 0 }, 'in this file; no other file is known to depend on it'],
  ['not counted', {}, 'in this file; files that depend on it were neither counted nor checked'],
  ['workspace scope', { scope: 'workspace' }, 'no errors introduced; apply_edit writes the edit.'],
])('a clean preview says how far it looked: %s', (_case, parts, words) => {
  expect(evaluationHint(evaluation({ evaluatedFiles, ...parts }))).toContain(words);
});
