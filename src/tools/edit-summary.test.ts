import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editSummary } from './edit-summary.ts';

test.each<[string, Record<string, unknown>, unknown]>([
  ['find_references', { file_path: '/a.ts' }, undefined],
  [
    'apply_edit',
    { file_path: '/a.ts', old_text: 'a', new_text: 'b' },
    { mode: 'text-match', file_path: '/a.ts', old_text_preview: 'a', new_text_preview: 'b' },
  ],
  ['apply_edit', { workspace_edit: {} }, { mode: 'workspace-edit' }],
  [
    'rename_symbol',
    { file_path: '/a.ts', new_name: 'b' },
    { mode: 'rename', file_path: '/a.ts', new_name: 'b' },
  ],
  ['commit_session', { target: 'disk', apply: true }, { mode: 'commit', target: 'disk', apply: true }],
  [
    'replace_symbol_body',
    { symbol_path: 'A.b', new_body: '{}' },
    { mode: 'symbol-edit', new_text_preview: '{}', target: 'A.b' },
  ],
  ['execute_command', { command: 'gopls.tidy' }, { mode: 'command', target: 'gopls.tidy' }],
])('%s with %j is told as %j', (tool, input, expected) => {
  expect(editSummary(tool, input, 'kept')).toEqual(expected);
});

test('no text is kept beyond two hundred characters, and none at all where previews are left out', () => {
  const texts = fc.record({
    old_text: fc.string({ maxLength: 500 }),
    new_text: fc.string({ maxLength: 500 }),
  });
  fc.assert(
    fc.property(texts, (input) => {
      const kept = editSummary('apply_edit', input, 'kept');
      for (const preview of [kept?.old_text_preview ?? '', kept?.new_text_preview ?? '']) {
        expect(preview.length).toBeLessThanOrEqual(200);
      }
      expect(editSummary('apply_edit', input, 'left-out')).toEqual({ mode: 'text-match' });
    }),
  );
});
