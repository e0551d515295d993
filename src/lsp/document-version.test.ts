import { expect, test } from 'vitest';
import { translatePublication, translateVersions } from './document-version.ts';

const versionOf = (uri: string, version: number): number | undefined =>
  uri === 'file:///known' ? version + 100 : undefined;

const document = (uri: string, version: unknown) => ({ textDocument: { uri, version }, edits: [] });

test.each<[string, unknown, unknown]>([
  [
    'a rename',
    { documentChanges: [document('file:///known', 1), document('file:///other', 1)] },
    { documentChanges: [document('file:///known', 101), document('file:///other', null)] },
  ],
  ['a version that was unknown before', document('file:///known', null), document('file:///known', null)],
  [
    'a report on the workspace',
    { items: [{ kind: 'full', uri: 'file:///known', version: 2, items: [] }] },
    { items: [{ kind: 'full', uri: 'file:///known', version: 102, items: [] }] },
  ],
  [
    "what is the server's own",
    [{ data: document('file:///known', 1), command: { arguments: [document('file:///known', 1)] } }],
    [{ data: document('file:///known', 1), command: { arguments: [document('file:///known', 1)] } }],
  ],
  ['no answer', null, null],
  ['a plain one', 'text', 'text'],
  ['something else with a version', { version: 3 }, { version: 3 }],
])('versions inside an answer are translated: %s', (_, answer, expected) => {
  expect(translateVersions(answer, versionOf)).toEqual(expected);
});

test.each<[string, unknown, unknown]>([
  ['of a known text', { uri: 'file:///known', version: 1 }, { uri: 'file:///known', version: 101 }],
  ['of an unknown text', { uri: 'file:///other', version: 1 }, undefined],
  ['without a version', { uri: 'file:///known', diagnostics: [] }, undefined],
  ['of nothing', null, undefined],
])('a publication %s', (_, params, expected) => {
  expect(translatePublication(params, versionOf)).toEqual(expected);
});
