import { expect, test } from 'vitest';
import { readInlayHint } from './inlay-hint.ts';

const position = { line: 2, character: 5 };

test.each<[string, unknown, unknown]>([
  [
    'a plain label',
    { position, label: ': number', kind: 1, paddingLeft: true },
    { position, label: ': number', kind: 'type', paddingLeft: true, paddingRight: false },
  ],
  [
    'a label in parts',
    { position, label: [{ value: 'a' }, { value: ':' }], kind: 2 },
    { position, label: 'a:', kind: 'parameter', paddingLeft: false, paddingRight: false },
  ],
  ['no text', { position, label: '' }, undefined],
  ['no position', { label: 'x' }, undefined],
])('a hint has a position and a text: %s', (_, item, expected) => {
  expect(readInlayHint(item)).toEqual(expected);
});
