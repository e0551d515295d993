import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PositionEncoding } from '../text/position.ts';
import { ClientDocuments } from './client-documents.ts';
import { OpenDocuments } from './document.ts';

const uri = 'file:///w/a.ts';

/** A client's documents, connected to their mirror on the other side. */
function pair(syncKind: 'full' | 'incremental', encoding: PositionEncoding) {
  const reported = new ClientDocuments(() => encoding);
  const open = new OpenDocuments({
    syncKind,
    encoding,
    didChangeExtras: {},
    touchExtras: {},
    notify: (method, params) => {
      expect(reported.receive(method, JSON.parse(JSON.stringify(params)))).toBe(true);
    },
  });
  return { open, reported };
}

const line = fc.stringMatching(/^[aß😀\r]{0,4}$/u);
const someText = fc.array(line, { maxLength: 4 }).map((lines) => lines.join('\n'));

test.each([
  ['full', 'utf-16'],
  ['incremental', 'utf-16'],
  ['incremental', 'utf-8'],
  ['incremental', 'utf-32'],
] as const)('whatever a client says, %s and in %s, its text is known', (syncKind, encoding) => {
  fc.assert(
    fc.property(someText, fc.array(someText, { maxLength: 6 }), (first, texts) => {
      const { open, reported } = pair(syncKind, encoding);
      open.open(uri, 'typescript', first);
      for (const text of texts) {
        const version = open.change(uri, text);
        expect(reported.all()).toEqual([{ uri, version, text }]);
      }
      open.close(uri);
      expect(reported.all()).toEqual([]);
    }),
  );
});

test.each<[string, string, unknown]>([
  ['a change of a closed one', 'textDocument/didChange', { textDocument: { uri, version: 1 } }],
  ['closing a closed one', 'textDocument/didClose', { textDocument: { uri } }],
  ['opening without a version', 'textDocument/didOpen', { textDocument: { uri, text: '' } }],
  ['no document', 'textDocument/didOpen', {}],
])('a notification that does not fit is a failure: %s', (_, method, params) => {
  const reported = new ClientDocuments(() => 'utf-16');
  expect(() => reported.receive(method, params)).toThrowError(
    expect.objectContaining({ code: 'lsp/document-state' }),
  );
});

test('what is not about documents is left to others', () => {
  expect(new ClientDocuments(() => 'utf-16').receive('initialized', {})).toBe(false);
});
