import { expect, test } from 'vitest';
import type { Diagnostic } from '../lsp/diagnostic.ts';
import { parseWorkspacePath, rootPath } from '../workspace/workspace-path.ts';
import { withoutRepetitions } from './diagnostic-comparison.ts';
import type { Finding } from './evaluation.ts';

const rangeAt = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 1 } });

function finding(path: string, line: number, message: string, more: Partial<Diagnostic> = {}): Finding {
  const diagnostic: Diagnostic = {
    range: rangeAt(line),
    severity: 'error',
    code: 'mismatch',
    message,
    ...more,
  };
  return { path: parseWorkspacePath(path) ?? rootPath, diagnostic };
}

const original = finding('include/a b.h', 176, "Out-of-line definition of 'as'");
const at = (line: number) => ({
  related: [{ uri: 'file:///w/include/a%20b.h', range: rangeAt(line), message: 'error occurred here' }],
});
const repetition = finding('src/a.cpp', 2, "In included file: out-of-line definition of 'as'", at(176));

test('an error of a header is told once, at its place', () => {
  expect(withoutRepetitions([repetition, original])).toEqual([original]);
});

test.each([' (fix available)', ' (fixes available)'])(
  'a note of the server%s at one of the two makes no difference',
  (note) => {
    const noted = finding('include/a b.h', 176, `${original.diagnostic.message}${note}`);
    expect(withoutRepetitions([repetition, noted])).toEqual([noted]);
    const notedRepetition = finding('src/a.cpp', 2, `${repetition.diagnostic.message}${note}`, at(176));
    expect(withoutRepetitions([notedRepetition, original])).toEqual([original]);
  },
);

test.each([
  ['the error itself is not in the list', [repetition]],
  ['it names another place', [original, finding('src/a.cpp', 2, repetition.diagnostic.message, at(3))]],
  ['it names no place', [original, finding('src/a.cpp', 2, repetition.diagnostic.message)]],
  [
    'its code is another',
    [original, finding('src/a.cpp', 2, repetition.diagnostic.message, { ...at(176), code: 'x' })],
  ],
  ['the same message is at two places', [original, finding('src/b.cpp', 9, original.diagnostic.message)]],
])('a finding is kept where %s', (_, findings) => {
  expect(withoutRepetitions(findings)).toEqual(findings);
});
