/** The pre-edit hook as clients run it: an event on standard input, a decision on standard output, soon. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProgramRun, runProgram } from '../support/built-program.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { describeTree } from '../support/tree-hash.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture('ts-two-modules');
});

afterAll(() => fixture[Symbol.asyncDispose]());

/** Room for a machine that is busy with other tests; the deadline has tests of its own. */
const patient = ['--deadline', '60000'];

function hook(event: unknown, ...words: readonly string[]): Promise<ProgramRun> {
  const input = typeof event === 'string' ? event : JSON.stringify(event);
  return runProgram(['hook', ...(words.includes('--deadline') ? [] : patient), ...words], {
    cwd: fixture.root,
    input,
  });
}

function preToolUse(tool_name: string, tool_input: Readonly<Record<string, unknown>>): unknown {
  const file_path = fixture.file(String(tool_input.file_path));
  const session = { session_id: 's', transcript_path: '/t', permission_mode: 'default' };
  return {
    ...session,
    cwd: fixture.root,
    hook_event_name: 'PreToolUse',
    tool_name,
    tool_input: { ...tool_input, file_path },
  };
}

const signature = 'add(a: number, b: number)';
const breaking = { old_string: signature, new_string: 'add(a: string, b: number)' };
const harmless = { old_string: 'return a + b', new_string: 'return b + a' };

interface ClaudeAnswer {
  readonly hookSpecificOutput: Readonly<Record<string, unknown>>;
}

function answer({ code, stdout }: ProgramRun): Readonly<Record<string, unknown>> {
  // Claude Code reads JSON only from a hook that ended with 0.
  expect(code).toBe(0);
  const { hookSpecificOutput }: ClaudeAnswer = JSON.parse(stdout);
  expect(hookSpecificOutput.hookEventName).toBe('PreToolUse');
  return hookSpecificOutput;
}

describe('for Claude Code', () => {
  test.each<[string, () => unknown, RegExp]>([
    [
      'Edit',
      () => preToolUse('Edit', { file_path: 'math.ts', ...breaking }),
      /^math\.ts:2:3 Type 'string' is not assignable/m,
    ],
    [
      'MultiEdit, as one change',
      () =>
        preToolUse('MultiEdit', {
          file_path: 'math.ts',
          edits: [harmless, { old_string: 'a / 2', new_string: 'c / 2' }],
        }),
      /^math\.ts:6:10 Cannot find name 'c'/m,
    ],
    [
      'Write',
      () => preToolUse('Write', { file_path: 'app.ts', content: 'const n: number = "x";\n' }),
      /^app\.ts:1:7 Type 'string'/m,
    ],
    [
      'Write of a new file',
      () => preToolUse('Write', { file_path: 'b.ts', content: 'nonsense();\n' }),
      /^b\.ts:1:1 Cannot find name/m,
    ],
  ])('%s that breaks something is denied with the errors', async (_tool, event, reason) => {
    const before = await describeTree(fixture.root);
    const decision = answer(await hook(event()));
    expect(decision.permissionDecision).toBe('deny');
    expect(decision.permissionDecisionReason).toMatch(
      /^This edit would introduce \d+ errors?; nothing was written:\n/,
    );
    expect(decision.permissionDecisionReason).toMatch(reason);
    expect(await describeTree(fixture.root)).toEqual(before);
  });

  test('a clean edit passes with a note, and the question of permission stays with the user', async () => {
    const decision = answer(await hook(preToolUse('Edit', { file_path: 'math.ts', ...harmless })));
    expect(decision).toEqual({
      hookEventName: 'PreToolUse',
      additionalContext: 'Checked by Forerun: this edit introduces no errors (proved over 1 file).',
    });
  });

  test('with --approve a proved edit needs no further permission', async () => {
    const decision = answer(
      await hook(preToolUse('Edit', { file_path: 'math.ts', ...harmless }), '--approve'),
    );
    expect(decision.permissionDecision).toBe('allow');
  });

  test('in file scope it says that other files were left out', async () => {
    const event = preToolUse('Edit', { file_path: 'math.ts', ...harmless });
    expect(answer(await hook(event, '--scope', 'file'))).toMatchObject({
      additionalContext: expect.stringMatching(/no errors in this file; .*not|neither counted nor checked/),
    });
  });

  test('workspace scope, the default, sees what breaks in another file', async () => {
    const half = { old_string: 'half(a: number)', new_string: 'half(a: number, b: number)' };
    const add = { old_string: signature, new_string: 'add(a: number, b: number, c: number)' };
    const event = preToolUse('MultiEdit', { file_path: 'math.ts', edits: [add, half] });
    expect(answer(await hook(event, '--scope', 'file'))).not.toHaveProperty('permissionDecision');
    const wide = answer(await hook(event));
    expect(wide).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('app.ts:'),
    });
  });
});

describe('for anybody else', () => {
  test('a broken edit is denied with exit code 1 and the errors as data', async () => {
    const run = await hook({
      file_path: 'math.ts',
      edits: [{ old_text: signature, new_text: breaking.new_string }],
    });
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      decision: 'deny',
      verdict: 'broken',
      errors: expect.arrayContaining([
        expect.objectContaining({ file: 'math.ts', line: 2, column: 3, code: 2322 }),
        expect.objectContaining({ file: 'app.ts' }),
      ]),
    });
  });

  test('a clean one is allowed', async () => {
    const run = await hook({ file_path: 'math.ts', edits: [{ old_text: 'a + b', new_text: 'b + a' }] });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ decision: 'allow', verdict: 'clean', errors: [] });
  });
});

describe('trouble of its own keeps nobody from editing', () => {
  test.each<[string, () => unknown, readonly string[], string]>([
    ['an event that is not JSON', () => '{', [], 'the event on standard input is not JSON'],
    ['an unknown event', () => ({ a: 1 }), [], 'the event on standard input has an unknown format'],
    [
      'a file of no known language',
      () => preToolUse('Write', { file_path: 'x.unknown', content: '' }),
      [],
      'x.unknown',
    ],
    [
      'a passage that is not there',
      () => preToolUse('Edit', { file_path: 'math.ts', old_string: 'zzz', new_string: '' }),
      [],
      'the text to replace does not occur in the file',
    ],
    [
      'no time',
      () => preToolUse('Edit', { file_path: 'math.ts', ...breaking }),
      ['--deadline', '1'],
      'within 1 ms',
    ],
  ])('%s', async (_what, event, words, note) => {
    const run = await hook(event(), ...words);
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toContain('forerun hook: the edit was not judged: ');
    expect(run.stderr).toContain(note);
  });

  test('a tool that edits nothing is none of its business', async () => {
    const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } };
    expect(await hook(event)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('for anybody else it is an answer that says so', async () => {
    const run = await hook({ file_path: 'x.unknown', content: '' });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ decision: 'allow', verdict: 'unknown', errors: [] });
  });
});
