import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asFailure } from '../../tools/failure.ts';
import { readEditEvent } from './edit-event.ts';

function read(event: unknown): unknown {
  try {
    return readEditEvent(typeof event === 'string' ? event : JSON.stringify(event), '/here');
  } catch (thrown) {
    return asFailure(thrown).message;
  }
}

const claude = (tool_name: string, tool_input: unknown, hook_event_name = 'PreToolUse') => ({
  hook_event_name,
  cwd: '/project',
  tool_name,
  tool_input,
});

const passage = { oldText: 'a', newText: 'b', which: undefined };

describe('events', () => {
  test.each<[string, unknown, unknown]>([
    [
      'Edit of Claude Code',
      claude('Edit', { file_path: '/f.ts', old_string: 'a', new_string: 'b' }),
      {
        kind: 'edit',
        dialect: 'claude',
        filePath: '/f.ts',
        change: { kind: 'passages', passages: [passage] },
      },
    ],
    [
      'MultiEdit of Claude Code',
      claude('MultiEdit', {
        file_path: 'f.ts',
        edits: [{ old_string: 'a', new_string: 'b', replace_all: true }],
      }),
      {
        kind: 'edit',
        dialect: 'claude',
        filePath: '/project/f.ts',
        change: { kind: 'passages', passages: [{ ...passage, which: 'all' }] },
      },
    ],
    [
      'Write of Claude Code',
      claude('Write', { file_path: '/f.ts', content: 'x' }),
      { kind: 'edit', dialect: 'claude', filePath: '/f.ts', change: { kind: 'whole', text: 'x' } },
    ],
    [
      'another tool of Claude Code',
      claude('Bash', { command: 'ls' }),
      { kind: 'none', dialect: 'claude', why: 'PreToolUse of Bash is not an edit' },
    ],
    [
      'another event of Claude Code',
      claude('Edit', { file_path: '/f.ts' }, 'PostToolUse'),
      { kind: 'none', dialect: 'claude', why: 'PostToolUse of Edit is not an edit' },
    ],
    [
      'a plain edit',
      { file_path: 'f.ts', edits: [{ old_text: 'a', new_text: 'b' }] },
      {
        kind: 'edit',
        dialect: 'plain',
        filePath: '/here/f.ts',
        change: { kind: 'passages', passages: [passage] },
      },
    ],
    [
      'plain content, even empty',
      { file_path: '/f.ts', content: '' },
      { kind: 'edit', dialect: 'plain', filePath: '/f.ts', change: { kind: 'whole', text: '' } },
    ],
    [
      'an edit that says nothing',
      { file_path: '/f.ts' },
      'the event contains neither new content nor an edit',
    ],
    ['a tool with another input', claude('Edit', { path: 1 }), 'the input of Edit has an unknown format'],
    ['something else', [1], 'the event on standard input has an unknown format'],
    ['no JSON', '{', 'the event on standard input is not JSON'],
  ])('%s', (_what, event, expected) => {
    expect(read(event)).toEqual(expected);
  });

  test('whatever is sent is read or refused in a sentence', () => {
    fc.assert(fc.property(fc.jsonValue(), (event) => void read(event)));
  });
});
