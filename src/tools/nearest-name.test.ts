import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const known = ['file_path', 'new_text', 'old_text', 'scope', 'timeout_ms', 'session_id', 'new_path'];

test.each([
  ['filePath', 'file_path'],
  ['file', 'file_path'],
  ['sope', 'scope'],
  ['newtext', 'new_text'],
  ['timeout', 'timeout_ms'],
  ['sessionid', 'session_id'],
  ['text', undefined],
  ['colour', undefined],
  ['x', undefined],
])('%s', (name, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});
