/** Events as the real agents send them, shortened; and the answers that each of them reads. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asFailure } from '../../tools/failure.ts';
import type { HookOutcome } from './hook-event.ts';
import { readEvent } from './read-event.ts';

function read(event: unknown): unknown {
  try {
    const { dialect, event: found } = readEvent(
      typeof event === 'string' ? event : JSON.stringify(event),
      '/here',
    );
    return { agent: dialect.agent, ...found };
  } catch (thrown) {
    return asFailure(thrown).message;
  }
}

const place = { session: 's', directory: '/project' };
const common = { session_id: 's', transcript_path: '/t', cwd: '/project' };

type Fields = Readonly<Record<string, unknown>>;

const claude = (hook_event_name: string, fields: Fields = {}): Fields => ({
  ...common,
  prompt_id: 'p',
  permission_mode: 'default',
  hook_event_name,
  ...fields,
});
const qwen = (hook_event_name: string, fields: Fields = {}): Fields => ({
  ...claude(hook_event_name, fields),
  timestamp: '2026-11-17T08:19:01.313Z',
});
const gemini = (hook_event_name: string, fields: Fields = {}): Fields => ({
  ...common,
  hook_event_name,
  timestamp: '2026-11-17T08:18:41.744Z',
  ...fields,
});
const codex = (hook_event_name: string, fields: Fields = {}): Fields => ({
  ...claude(hook_event_name, fields),
  turn_id: 't',
  model: 'm',
});
const cursor = (hook_event_name: string, fields: Fields = {}): Fields => ({
  conversation_id: 's',
  generation_id: 'g',
  cursor_version: '2.0.77',
  workspace_roots: ['/project'],
  hook_event_name,
  ...fields,
});
const opencode = (event: string, fields: Fields = {}): Fields => ({
  agent: 'opencode',
  event,
  session: 's',
  directory: '/project',
  ...fields,
});

const quoted = { old_string: 'a', new_string: 'b' };
const passages = { kind: 'passages', passages: [{ oldText: 'a', newText: 'b', which: undefined }] };
const patch = '*** Begin Patch\n*** Update File: f.ts\n@@\n-a\n+b\n*** Delete File: /g.ts\n*** End Patch';
const hunks = { kind: 'hunks', hunks: [{ oldLines: ['a'], newLines: ['b'], isAtEnd: false }] };
const whole = { kind: 'whole', text: 'x' };

const edit = (agent: string, when: 'before' | 'after', ...files: readonly Fields[]): Fields => ({
  agent,
  kind: 'edit',
  when,
  files,
  ...place,
});
const absolute = (change?: Fields): Fields => ({
  filePath: '/f.ts',
  given: '/f.ts',
  ...(change && { change }),
});
const relative = (change: Fields): Fields => ({ filePath: '/project/f.ts', given: 'f.ts', change });

describe('events', () => {
  test.each<[string, unknown, unknown]>([
    [
      'Edit of Claude Code',
      claude('PreToolUse', {
        tool_name: 'Edit',
        tool_input: { file_path: '/f.ts', ...quoted, replace_all: false },
      }),
      edit('Claude Code', 'before', absolute(passages)),
    ],
    [
      'MultiEdit of Claude Code',
      claude('PreToolUse', {
        tool_name: 'MultiEdit',
        tool_input: { file_path: 'f.ts', edits: [{ ...quoted, replace_all: true }] },
      }),
      edit(
        'Claude Code',
        'before',
        relative({ kind: 'passages', passages: [{ oldText: 'a', newText: 'b', which: 'all' }] }),
      ),
    ],
    [
      'Write of Claude Code, after it was made',
      claude('PostToolUse', {
        tool_name: 'Write',
        tool_input: { file_path: '/f.ts', content: 'x' },
        tool_response: { type: 'update', originalFile: 'before' },
      }),
      edit('Claude Code', 'after', { ...absolute(whole), former: { text: 'before' } }),
    ],
    [
      'another tool of Claude Code',
      claude('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } }),
      { agent: 'Claude Code', kind: 'irrelevant' },
    ],
    [
      'another event of Claude Code',
      claude('SessionStart'),
      { agent: 'Claude Code', kind: 'unknown', what: 'the event SessionStart of Claude Code' },
    ],
    [
      'a tool with another input',
      claude('PreToolUse', { tool_name: 'Edit', tool_input: { path: 1 } }),
      { agent: 'Claude Code', kind: 'unknown', what: 'the input of Edit of Claude Code' },
    ],
    [
      'Stop of Claude Code',
      claude('Stop', { stop_hook_active: true }),
      { agent: 'Claude Code', kind: 'stop', ...place, isRetry: true },
    ],
    [
      'edit of Qwen Code',
      qwen('PreToolUse', { tool_name: 'edit', tool_input: { file_path: '/f.ts', ...quoted } }),
      edit('Qwen Code', 'before', absolute(passages)),
    ],
    [
      'Stop of Qwen Code',
      qwen('Stop', { stop_hook_active: false }),
      { agent: 'Qwen Code', kind: 'stop', ...place, isRetry: false },
    ],
    [
      'replace of Gemini CLI',
      gemini('BeforeTool', {
        tool_name: 'replace',
        tool_input: { file_path: '/f.ts', ...quoted, instruction: 'i' },
      }),
      edit('Gemini CLI', 'before', absolute(passages)),
    ],
    [
      'write_file of Gemini CLI, after it was made',
      gemini('AfterTool', {
        tool_name: 'write_file',
        tool_input: { file_path: '/f.ts', content: 'x' },
        tool_response: { llmContent: 'ok', returnDisplay: { originalContent: '', isNewFile: true } },
      }),
      edit('Gemini CLI', 'after', { ...absolute(whole), former: { text: undefined } }),
    ],
    [
      'the end of a turn of Gemini CLI',
      gemini('AfterAgent', { stop_hook_active: false }),
      { agent: 'Gemini CLI', kind: 'stop', ...place, isRetry: false },
    ],
    [
      'another event of Gemini CLI',
      gemini('BeforeModel'),
      { agent: 'Gemini CLI', kind: 'unknown', what: 'the event BeforeModel of Gemini CLI' },
    ],
    [
      'apply_patch of Codex',
      codex('PreToolUse', { tool_name: 'apply_patch', tool_input: { command: patch } }),
      edit('Codex', 'before', relative(hunks), {
        filePath: '/g.ts',
        given: '/g.ts',
        change: { kind: 'removed' },
      }),
    ],
    [
      'Write of Cursor',
      cursor('preToolUse', { tool_name: 'Write', tool_input: { file_path: '/f.ts', content: 'x' } }),
      edit('Cursor', 'before', absolute(whole)),
    ],
    [
      'Write of Cursor without its text, after it was made',
      cursor('postToolUse', { tool_name: 'Write', tool_input: { path: '/f.ts' } }),
      edit('Cursor', 'after', absolute()),
    ],
    [
      'stop of Cursor',
      cursor('stop', { status: 'completed', loop_count: 1 }),
      { agent: 'Cursor', kind: 'stop', ...place, isRetry: true },
    ],
    [
      'edit of opencode',
      opencode('before', { tool: 'edit', args: { filePath: '/f.ts', oldString: 'a', newString: 'b' } }),
      edit('opencode', 'before', absolute(passages)),
    ],
    [
      'apply_patch of opencode',
      opencode('before', { tool: 'apply_patch', args: { patchText: patch } }),
      expect.objectContaining({ agent: 'opencode', files: [relative(hunks), expect.anything()] }),
    ],
    [
      'a plain edit',
      { file_path: 'f.ts', edits: [{ old_text: 'a', new_text: 'b' }] },
      {
        ...edit('a program', 'before', { filePath: '/here/f.ts', given: 'f.ts', change: passages }),
        session: undefined,
        directory: '/here',
      },
    ],
    [
      'an edit that says nothing',
      { file_path: '/f.ts' },
      { agent: 'a program', kind: 'unknown', what: 'an event with neither new content nor an edit' },
    ],
    ['something else', [1], 'the event on standard input has an unknown format'],
    ['no JSON', '{', 'the event on standard input is not JSON'],
  ])('%s', (_what, event, expected) => {
    expect(read(event)).toEqual(expected);
  });

  test('whatever is sent is read or refused in a sentence', () => {
    fc.assert(fc.property(fc.jsonValue(), (event) => void read(event)));
  });
});

describe('answers', () => {
  const judged = (decision: 'deny' | 'approve' | 'none'): HookOutcome => ({
    kind: 'judged',
    verdict: decision === 'approve' ? 'clean' : 'broken',
    note: 'the note',
    decision,
    errors: [],
    durationMs: 1,
  });
  const late: HookOutcome = { kind: 'unjudged', reason: 'no time', audience: 'agent' };
  const answerTo = (payload: Fields, outcome: HookOutcome): unknown => {
    const { dialect, event } = readEvent(JSON.stringify(payload), '/here');
    const { output } = dialect.answer(event, outcome);
    return output === '' ? '' : JSON.parse(output);
  };
  const call = { tool_name: 'Write', tool_input: { file_path: '/f', content: '' } };
  const geminiCall = { ...call, tool_name: 'write_file' };
  const patchCall = { tool_name: 'apply_patch', tool_input: { command: patch } };
  const context = (hookEventName: string, additionalContext: string): Fields => ({
    hookSpecificOutput: { hookEventName, additionalContext },
  });
  const permission = (permissionDecision: string): Fields => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      permissionDecisionReason: 'the note',
    },
  });

  test.each<[string, Fields, HookOutcome, unknown]>([
    ['Claude Code, denied', claude('PreToolUse', call), judged('deny'), permission('deny')],
    ['Claude Code, approved', claude('PreToolUse', call), judged('approve'), permission('allow')],
    ['Claude Code, warned', claude('PreToolUse', call), judged('none'), context('PreToolUse', 'the note')],
    [
      'Claude Code, too late',
      claude('PreToolUse', call),
      late,
      context('PreToolUse', 'Not judged by Forerun: no time.'),
    ],
    ['Claude Code, made', claude('PostToolUse', call), judged('none'), context('PostToolUse', 'the note')],
    ['Claude Code, turn', claude('Stop'), judged('deny'), { decision: 'block', reason: 'the note' }],
    [
      'Claude Code, turn again',
      claude('Stop', { stop_hook_active: true }),
      judged('deny'),
      { systemMessage: 'the note' },
    ],
    ['Claude Code, clean turn', claude('Stop'), judged('approve'), ''],
    [
      'Codex cannot be approved',
      codex('PreToolUse', patchCall),
      judged('approve'),
      context('PreToolUse', 'the note'),
    ],
    ['Codex, denied', codex('PreToolUse', patchCall), judged('deny'), permission('deny')],
    [
      'Gemini CLI, denied',
      gemini('BeforeTool', geminiCall),
      judged('deny'),
      { decision: 'deny', reason: 'the note' },
    ],
    ['Gemini CLI, before', gemini('BeforeTool', geminiCall), judged('none'), ''],
    ['Gemini CLI, made', gemini('AfterTool', geminiCall), judged('none'), context('AfterTool', 'the note')],
    ['Gemini CLI, turn', gemini('AfterAgent'), judged('deny'), { decision: 'deny', reason: 'the note' }],
    [
      'Cursor, denied',
      cursor('preToolUse', call),
      judged('deny'),
      { permission: 'deny', user_message: 'the note', agent_message: 'the note' },
    ],
    ['Cursor, left alone', cursor('preToolUse', call), { kind: 'silent' }, {}],
    ['Cursor, made', cursor('postToolUse', call), judged('none'), { additional_context: 'the note' }],
    ['Cursor, turn', cursor('stop', { loop_count: 0 }), judged('deny'), { followup_message: 'the note' }],
    ['opencode', opencode('stop'), judged('deny'), { decision: 'deny', note: 'the note' }],
  ])('%s', (_, payload, outcome, expected) => {
    expect(answerTo(payload, outcome)).toEqual(expected);
  });
});
