import { expect, test } from 'vitest';
import { readCodeActions } from './code-action.ts';

test('a bare command becomes an action that holds it, and an action passes as it came', () => {
  const action = { title: 'Fix', kind: 'quickfix', command: { title: 'Fix', command: 'fix' } };
  const command = { title: 'Run', command: 'run', arguments: [1] };
  expect(readCodeActions([action, command, { kind: 'quickfix' }, null])).toEqual([
    action,
    { title: 'Run', command },
  ]);
  expect(readCodeActions(null)).toEqual([]);
});
