import { expect, test } from 'vitest';
import type { Diagnostic } from '../../lsp/diagnostic.ts';
import { groupBySymbol, type SymbolLines } from './symbol-group.ts';

const symbols: readonly SymbolLines[] = [
  { name: 'Outer', kind: 'Class', startLine: 0, endLine: 9 },
  { name: 'Outer.inner', kind: 'Method', startLine: 2, endLine: 4 },
];

function at(line: number): Diagnostic {
  const position = { line, character: 0 };
  return { range: { start: position, end: position }, severity: 'error', message: `line ${line}` };
}

test('a diagnostic stands under the smallest symbol around it, and each stands once', () => {
  const grouped = groupBySymbol(symbols, [at(3), at(6), at(20), at(4)]);
  expect(grouped).toMatchObject({
    symbols: [
      { name: 'Outer', kind: 'Class', line: 1, diagnostics: [{ message: 'line 6', severity: 1 }] },
      {
        name: 'Outer.inner',
        kind: 'Method',
        line: 3,
        diagnostics: [{ message: 'line 3' }, { message: 'line 4' }],
      },
    ],
    ungrouped: [{ message: 'line 20' }],
  });
});
