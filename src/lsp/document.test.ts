import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeRange, LineIndex, type PositionEncoding, type Range } from '../text/position.ts';
import type { SyncKind } from './capabilities.ts';
import { type DocumentWire, OpenDocuments } from './document.ts';

/** A message as the server reads it. */
interface Sent {
  readonly method: string;
  readonly params: {
    readonly textDocument: { readonly version?: number; readonly text?: string };
    readonly contentChanges?: readonly { readonly range?: Range; readonly text: string }[];
  };
}

function wireTo(
  sent: Sent[],
  syncKind: SyncKind = 'incremental',
  encoding: PositionEncoding = 'utf-16',
): DocumentWire {
  return {
    syncKind,
    encoding,
    didChangeExtras: {},
    touchExtras: {},
    notify: (method, params) => void sent.push(JSON.parse(JSON.stringify({ method, params }))),
  };
}

/** The text of a server after these messages. */
function replay(sent: readonly Sent[], encoding: PositionEncoding): string {
  let text = '';
  for (const { method, params } of sent) {
    if (method === 'textDocument/didOpen') text = params.textDocument.text ?? '';
    for (const change of params.contentChanges ?? []) text = applied(text, change, encoding);
  }
  return text;
}

function applied(text: string, change: { range?: Range; text: string }, encoding: PositionEncoding): string {
  if (!change.range) return change.text;
  const index = new LineIndex(text);
  const { start, end } = decodeRange(index, change.range, encoding);
  return text.slice(0, index.offsetAt(start)) + change.text + text.slice(index.offsetAt(end));
}

const uri = 'file:///a.ts';
const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '\r', 'é', '🙂', ' ') }), {
  minLength: 1,
});

describe.each<[SyncKind, PositionEncoding]>([
  ['incremental', 'utf-16'],
  ['incremental', 'utf-8'],
  ['incremental', 'utf-32'],
  ['full', 'utf-16'],
  ['none', 'utf-16'],
])('with %s sync in %s', (syncKind, encoding) => {
  test('the server holds the text it was last given', () => {
    fc.assert(
      fc.property(texts, (changes) => {
        const sent: Sent[] = [];
        const documents = new OpenDocuments(wireTo(sent, syncKind, encoding));
        documents.open(uri, 'typescript', 'a\r\nb🙂\n');
        for (const text of changes) {
          documents.change(uri, text);
          expect(replay(sent, encoding)).toBe(text);
          expect(documents.get(uri)?.text).toBe(text);
        }
      }),
    );
  });
});

test('versions strictly increase through changes, closing and opening again', () => {
  const step = fc.oneof(fc.constant('close' as const), fc.string());
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const sent: Sent[] = [];
      const documents = new OpenDocuments(wireTo(sent));
      for (const next of steps) {
        const isOpen = documents.get(uri) !== undefined;
        if (next === 'close') isOpen && documents.close(uri);
        else if (isOpen) documents.change(uri, next);
        else documents.open(uri, 'typescript', next);
      }
      const versions = sent.flatMap(({ params }) => params.textDocument.version ?? []);
      expect(versions).toEqual(versions.map((_, at) => at + 1));
    }),
  );
});

test('equal text sends nothing and keeps its version', () => {
  const sent: Sent[] = [];
  const documents = new OpenDocuments(wireTo(sent));
  const version = documents.open(uri, 'typescript', 'a');
  expect(documents.change(uri, 'a')).toBe(version);
  expect(sent).toHaveLength(1);
});

test('a document has one entry whatever its spelling', () => {
  const documents = new OpenDocuments(wireTo([]));
  documents.open('file:///[a].ts', 'typescript', 'a');
  documents.change('file:///%5Ba%5D.ts', 'b');
  expect(documents.all()).toEqual([
    { uri: 'file:///[a].ts', languageId: 'typescript', version: 2, text: 'b' },
  ]);
});

test('to open twice, or to change or close what is not open, is a failure', () => {
  const documents = new OpenDocuments(wireTo([]));
  for (const misuse of [() => documents.change(uri, ''), () => documents.close(uri)]) {
    expect(misuse).toThrow(expect.objectContaining({ code: 'lsp/document-state' }));
  }
  documents.open(uri, 'typescript', '');
  expect(() => documents.open(uri, 'typescript', '')).toThrow(
    expect.objectContaining({ code: 'lsp/document-state' }),
  );
});
