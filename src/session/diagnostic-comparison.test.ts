import { expect, test } from 'vitest';
import type { Diagnostic } from '../lsp/diagnostic.ts';
import type { FileDiagnostics, Proof } from '../servers/proof.ts';
import { parseWorkspacePath, rootPath } from '../workspace/workspace-path.ts';
import { compareDiagnostics } from './diagnostic-comparison.ts';

const path = parseWorkspacePath('a.ts') ?? rootPath;
const start = { line: 0, character: 0 };
const error: Diagnostic = { range: { start, end: start }, severity: 'error', message: 'm' };

function answer(diagnostics: readonly Diagnostic[], proof: Proof = { kind: 'pulled' }): FileDiagnostics[] {
  return [{ path, diagnostics, proof }];
}

const late: Proof = { kind: 'none', reason: 'timeout' };
const refused: Proof = { kind: 'none', reason: 'refused' };

test.each<[string, FileDiagnostics[], FileDiagnostics[], number, number]>([
  ['an error that came', answer([]), answer([error]), 1, 0],
  ['an error that went', answer([error]), answer([]), 0, 1],
  ['an error that stayed', answer([error]), answer([error]), 0, 0],
  ['a created file', [], answer([error]), 1, 0],
  ['a deleted file', answer([error]), [], 0, 1],
  ['a baseline that was late introduces nothing', answer([], late), answer([error]), 0, 0],
  ['a baseline that was refused introduces nothing', answer([], refused), answer([error]), 0, 0],
  ['an answer that is late resolves nothing', answer([error]), answer([], late), 0, 0],
])('%s', (_, before, after, introduced, resolved) => {
  const findings = compareDiagnostics([], before, after);
  expect([findings.introduced.length, findings.resolved.length]).toEqual([introduced, resolved]);
});
