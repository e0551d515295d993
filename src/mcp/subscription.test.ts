import { expect, test } from 'vitest';
import { filePathOf, queryOf } from './resource-uri.ts';
import { Subscriptions } from './subscription.ts';

test.each<[string, string | undefined]>([
  ['lsp-diagnostics://', undefined],
  ['lsp-diagnostics:///', undefined],
  ['lsp-diagnostics:///work/a.ts', '/work/a.ts'],
  ['lsp-diagnostics:////work/a.ts', '/work/a.ts'],
  ['lsp-diagnostics:///%2Fwork%2Fa%20b.ts', '/work/a b.ts'],
  ['lsp-diagnostics:///work/100%.ts', '/work/100%.ts'],
  ['lsp-hover:///work/a.ts?line=1', '/work/a.ts'],
  ['lsp-hover:///C:/work/a.ts', 'C:/work/a.ts'],
  ['file:///work/a%20b.ts', '/work/a b.ts'],
  ['nonsense', undefined],
])('%s names the file %s', (uri, expected) => {
  expect(filePathOf(uri)).toBe(expected);
});

test('the query is what follows the question mark', () => {
  expect([...queryOf('lsp-hover:///a.ts?line=1&column=2')]).toEqual([
    ['line', '1'],
    ['column', '2'],
  ]);
});

test('a file is followed under its own name and under that of all, as the client spelled them', () => {
  const subscriptions = new Subscriptions();
  subscriptions.add('lsp-diagnostics://');
  subscriptions.add('lsp-diagnostics:////work/a.ts');
  subscriptions.add('forerun-session:///1');
  expect(subscriptions.forDiagnosticsOf('file:///work/a.ts')).toEqual([
    'lsp-diagnostics://',
    'lsp-diagnostics:////work/a.ts',
  ]);
  expect(subscriptions.forDiagnosticsOf('file:///work/b.ts')).toEqual(['lsp-diagnostics://']);
  expect(subscriptions.watched()).toEqual(['all', '/work/a.ts']);
});

test('leaving takes away exactly what was subscribed', () => {
  const subscriptions = new Subscriptions();
  subscriptions.add('lsp-diagnostics://');
  subscriptions.add('lsp-diagnostics:///work/a.ts');
  subscriptions.remove('lsp-diagnostics://');
  expect(subscriptions.forDiagnosticsOf('file:///work/a.ts')).toEqual(['lsp-diagnostics:///work/a.ts']);
  expect(subscriptions.forDiagnosticsOf('file:///work/b.ts')).toEqual([]);
});
