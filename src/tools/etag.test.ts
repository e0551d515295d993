import { expect, test } from 'vitest';
import type { FileContent } from '../workspace/file-content.ts';
import { etagOf, notModified } from './etag.ts';

const content: FileContent = { kind: 'text', text: 'let a = 1;\n' };
const base = { tool: 'list_symbols', content, input: { file_path: '/w/a.ts', format: 'json' } };

test.each([
  ['other bytes', { ...base, content: { kind: 'text', text: 'let a = 2;\n' } as const }],
  ['a byte order mark', { ...base, content: { ...content, bom: true } }],
  ['another tool', { ...base, tool: 'get_symbol_source' }],
  ['another argument', { ...base, input: { ...base.input, format: 'outline' } }],
  ['another state of the workspace', { ...base, beyond: '7' }],
  ['no file', { ...base, content: undefined }],
])('%s make another tag', (_, other) => {
  expect(etagOf(other)).not.toBe(etagOf(base));
});

test('the order of arguments, absent ones and the tag itself change nothing', () => {
  const input = { format: 'json', line: undefined, if_none_match: 'x', file_path: '/w/a.ts' };
  expect(etagOf({ ...base, input })).toBe(etagOf(base));
});

test('only a caller who holds the tag is told that nothing changed', () => {
  const etag = etagOf(base);
  const short = { kind: 'json', value: { status: 'not_modified', etag } };
  expect(notModified(etag, etag)?.payload).toEqual(short);
  expect(notModified(etag, `W/"${etag}"`)?.payload).toEqual(short);
  expect(notModified(etag, 'other')).toBeUndefined();
  expect(notModified(etag, undefined)).toBeUndefined();
});
