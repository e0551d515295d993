import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../lsp/diagnostic.ts';
import type { FileDiagnostics, Proof } from '../servers/proof.ts';
import { parseWorkspacePath, rootPath } from '../workspace/workspace-path.ts';
import { compareDiagnostics, withoutMisplaced } from './diagnostic-comparison.ts';

const path = parseWorkspacePath('a.ts') ?? rootPath;
const start = { line: 0, character: 0 };
const error: Diagnostic = { range: { start, end: start }, severity: 'error', message: 'm' };

function answer(diagnostics: readonly Diagnostic[], proof: Proof = { kind: 'pulled' }): FileDiagnostics[] {
  return [{ path, diagnostics, proof }];
}

function hintless(diagnostics: readonly Diagnostic[]): FileDiagnostics[] {
  return answer(diagnostics).map((each) => ({ ...each, lacksHints: true }));
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

test.each<[string, FileDiagnostics[], FileDiagnostics[], number, number]>([
  ['an answer that was cut resolves nothing', answer([error]), cut([]), 0, 0],
  ['an answer that was cut introduces what it saw', answer([]), cut([error]), 1, 0],
  ['a baseline that was cut introduces nothing', cut([]), answer([error]), 0, 0],
])('%s', (_, before, after, introduced, resolved) => {
  const findings = compareDiagnostics([], before, after);
  expect([findings.introduced.length, findings.resolved.length]).toEqual([introduced, resolved]);
});

test.each<[string, FileDiagnostics[], FileDiagnostics[]]>([
  ['before', hintless([error]), answer([error, { ...error, severity: 'hint', message: 'unused' }])],
  ['after', answer([error, { ...error, severity: 'hint', message: 'unused' }]), hintless([error])],
])('hints that were not asked for %s the change neither came nor went', (_, before, after) => {
  expect(compareDiagnostics([], before, after)).toEqual({ introduced: [], resolved: [] });
});

test('what vanishes because the server stopped looking is not resolved', () => {
  const warning: Diagnostic = { ...error, severity: 'warning', message: 'slow', source: 'writestring' };
  const syntax: Diagnostic = { ...error, message: 'expected )', source: 'syntax' };
  const other: Diagnostic = { ...error, message: 'undefined: x', source: 'compiler' };
  const compare = (before: readonly Diagnostic[], after: readonly Diagnostic[]) =>
    compareDiagnostics([], answer(before), answer(after), ['syntax']).resolved;
  expect(compare([error, warning], [syntax])).toEqual([]);
  expect(compare([error, warning], [other])).toMatchObject([{ diagnostic: error }]);
  expect(compare([error, warning], [])).toHaveLength(2);
  expect(compare([syntax], [])).toHaveLength(1);
});

function cut(diagnostics: readonly Diagnostic[]): FileDiagnostics[] {
  return answer(diagnostics).map((each) => ({ ...each, isCut: true }));
}

describe('an error that the server reports at any of several places', () => {
  const unlisted = (file: string): Diagnostic => ({ ...error, code: 6307, message: `${file} is not listed` });
  const compare = (before: readonly Diagnostic[], after: readonly Diagnostic[], sameFiles: boolean) => {
    const sides = { before: answer(before), after: answer(after) };
    const known = withoutMisplaced(sides, { codes: [6307], sameFiles });
    const { introduced, resolved } = compareDiagnostics([], known.before, known.after);
    return [introduced.length, resolved.length, known.doubts.length];
  };

  test.each<[string, readonly Diagnostic[], readonly Diagnostic[], boolean, readonly number[]]>([
    ['neither comes nor goes if every project has the same files', [], [unlisted('b.ts')], true, [0, 0, 0]],
    ['nor does it leave', [unlisted('b.ts')], [], true, [0, 0, 0]],
    ['is the same elsewhere', [unlisted('b.ts')], [error, unlisted('b.ts')], false, [1, 0, 0]],
    ['is introduced where there was none, with a doubt', [], [unlisted('b.ts')], false, [1, 0, 1]],
    ['is a doubt where there were others', [unlisted('b.ts')], [unlisted('c.ts')], false, [0, 0, 1]],
  ])('%s', (_, before, after, sameFiles, expected) => {
    expect(compare(before, after, sameFiles)).toEqual(expected);
  });
});
