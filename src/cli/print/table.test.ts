import { expect, test } from 'vitest';
import { tableText } from './table.ts';

test('columns are as wide as their widest word, numbers stand to the right, colour takes no room', () => {
  const red = (text: string) => `<${text}>`;
  const table = tableText([
    [{ text: 'name' }, { text: 'count', align: 'right' }, { text: 'note' }],
    [{ text: 'a', paint: red }, { text: '7', align: 'right' }, { text: 'short' }],
    [{ text: 'longer name' }, { text: '12345678', align: 'right' }, { text: '' }],
  ]);
  expect(table.split('\n')).toEqual([
    'name            count  note',
    '<a>                   7  short',
    'longer name  12345678',
    '',
  ]);
});
