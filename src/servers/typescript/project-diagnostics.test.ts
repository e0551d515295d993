import { expect, test } from 'vitest';
import type { ApiDiagnostic } from './api-session.ts';
import { readApiDiagnostics } from './project-diagnostics.ts';

const text = 'const a = 1;\nconst b = 2;\n';
const read = (found: readonly ApiDiagnostic[]) =>
  readApiDiagnostics(found, { text, textOf: () => text, uriOf: (file) => `file://${file}` });
const error = (pos: number, more: Partial<ApiDiagnostic> = {}): ApiDiagnostic => ({
  pos,
  end: pos + 1,
  code: 2322,
  category: 1,
  text: 'Wrong.',
  ...more,
});

test('what several projects find is told once, in the order of the file', () => {
  expect(read([error(19), error(6), error(19)]).map(({ range }) => range.start)).toEqual([
    { line: 0, character: 6 },
    { line: 1, character: 6 },
  ]);
});

test('two findings at one place are two where they say different things', () => {
  expect(read([error(6), error(6, { text: 'Other.' })])).toHaveLength(2);
});

test('a chain is told link by link, each deeper than the one it explains', () => {
  const chain = error(6, {
    messageChain: [error(6, { text: 'Because.', messageChain: [error(6, { text: 'Since.' })] })],
  });
  expect(read([chain])[0]?.message).toBe('Wrong.\n  Because.\n    Since.');
});

test('categories, tags and related places are kept', () => {
  const [finding] = read([
    error(6, {
      category: 2,
      reportsUnnecessary: true,
      relatedInformation: [error(19, { fileName: '/w/b.ts', text: 'Here.' })],
    }),
  ]);
  expect(finding).toMatchObject({
    severity: 'hint',
    tags: ['unnecessary'],
    related: [{ uri: 'file:///w/b.ts', message: 'Here.', range: { start: { line: 1, character: 6 } } }],
  });
});

test('a place past the end is the end', () => {
  expect(read([error(500)])[0]?.range.start).toEqual({ line: 2, character: 0 });
});
