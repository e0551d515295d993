import { expect, test } from 'vitest';
import { readCompletionOffer, withoutPlaceholders } from './completion-offer.ts';

const range = { start: { line: 0, character: 1 }, end: { line: 0, character: 3 } };

test('an item says what it inserts, where, and what it changes besides', () => {
  const item = {
    label: 'readFile',
    kind: 3,
    labelDetails: { description: 'node:fs' },
    textEdit: { insert: range, replace: range, newText: 'readFile' },
    additionalTextEdits: [{ range, newText: "import { readFile } from 'node:fs';\n" }, { newText: 'x' }],
    tags: [1],
  };
  expect(readCompletionOffer(item)).toEqual({
    label: 'readFile',
    labelDetail: 'node:fs',
    kind: 3,
    documentation: '',
    sortText: 'readFile',
    filterText: 'readFile',
    isDeprecated: true,
    isPreselected: false,
    insertText: 'readFile',
    range,
    additionalEdits: [{ range, newText: "import { readFile } from 'node:fs';\n" }],
  });
  expect(readCompletionOffer({ kind: 3 })).toBeUndefined();
});

test.each<[string, string]>([
  ['f(${1:a}, ${2:b})$0', 'f(a, b)'],
  ['${1:x${2:y}}', 'xy'],
  ['${1|one,two|}!', 'one!'],
  ['cost \\$5', 'cost $5'],
  ['$TM_FILENAME ${TM_LINE}', '$TM_FILENAME '],
])('the snippet %j inserts %j', (snippet, text) => {
  expect(withoutPlaceholders(snippet)).toBe(text);
});
