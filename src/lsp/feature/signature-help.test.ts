import { expect, test } from 'vitest';
import { readSignatures } from './signature-help.ts';

test('a parameter is a stretch of the label, however the server names it', () => {
  const answer = {
    activeSignature: 7,
    activeParameter: 1,
    signatures: [
      {
        label: 'add(a: number, b: number)',
        documentation: { kind: 'markdown', value: 'Adds.' },
        parameters: [{ label: 'a: number' }, { label: [15, 24], documentation: 'second' }, { label: 'gone' }],
      },
      { label: 7 },
    ],
  };
  expect(readSignatures(answer)).toEqual({
    activeSignature: 0,
    signatures: [
      {
        label: 'add(a: number, b: number)',
        documentation: 'Adds.',
        activeParameter: 1,
        parameters: [
          { from: 4, to: 13, documentation: '' },
          { from: 15, to: 24, documentation: 'second' },
        ],
      },
    ],
  });
  expect(readSignatures({ signatures: [] })).toBeUndefined();
  expect(readSignatures(null)).toBeUndefined();
});
