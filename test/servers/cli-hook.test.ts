/** The pre-edit hook as clients run it: an event on standard input, a decision on standard output, soon. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProgramRun, runProgram } from '../support/built-program.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { runInProcess } from '../support/in-process-program.ts';
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
  return runInProcess(['hook', ...(words.includes('--deadline') ? [] : patient), ...words], {
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

const deny = ['--mode', 'deny'];

describe('for Claude Code, in mode deny', () => {
  test.each<[string, () => unknown, RegExp]>([
    [
      'Edit',
      () => preToolUse('Edit', { file_path: 'math.ts', ...breaking }),
      /\/math\.ts:2:3 Type 'string' is not assignable/m,
    ],
    [
      'MultiEdit, as one change',
      () =>
        preToolUse('MultiEdit', {
          file_path: 'math.ts',
          edits: [harmless, { old_string: 'a / 2', new_string: 'c / 2' }],
        }),
      /\/math\.ts:6:10 Cannot find name 'c'/m,
    ],
    [
      'Write',
      () => preToolUse('Write', { file_path: 'app.ts', content: 'const n: number = "x";\n' }),
      /\/app\.ts:1:7 Type 'string'/m,
    ],
    [
      'Write of a new file',
      () => preToolUse('Write', { file_path: 'b.ts', content: 'nonsense();\n' }),
      /\/b\.ts:1:1 Cannot find name/m,
    ],
  ])('%s that breaks something is denied with the errors', async (_tool, event, reason) => {
    const before = await describeTree(fixture.root);
    const decision = answer(await hook(event(), ...deny));
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
    expect(answer(await hook(event, ...deny, '--scope', 'file'))).not.toHaveProperty('permissionDecision');
    const wide = answer(await hook(event, ...deny));
    expect(wide).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('app.ts:'),
    });
  });
});

describe('in mode warn, the default', () => {
  test('an edit that breaks something passes, and the agent gets the errors', async () => {
    const told = answer(await hook(preToolUse('Edit', { file_path: 'math.ts', ...breaking })));
    expect(told).not.toHaveProperty('permissionDecision');
    expect(told.additionalContext).toMatch(/^Forerun: this edit introduces \d+ errors?\. Fix them/);
    expect(told.additionalContext).toContain(`${fixture.file('math.ts')}:2:3 Type 'string'`);
  });

  test('paths are those the agent uses', async () => {
    const event = { ...Object(preToolUse('Edit', { file_path: 'math.ts' })) };
    const tool_input = { file_path: './math.ts', ...breaking };
    expect(answer(await hook({ ...event, tool_input })).additionalContext).toMatch(/^math\.ts:2:3 Type/m);
  });

  test('an edit that was made is judged against the text before it', async () => {
    const before = await fixture.read('math.ts');
    await fixture.write('math.ts', before.replace(breaking.old_string, breaking.new_string));
    try {
      const made = { ...Object(preToolUse('Edit', { file_path: 'math.ts', ...breaking })) };
      const run = await hook({ ...made, hook_event_name: 'PostToolUse' });
      expect(run.stdout).toContain('this edit introduced');
      expect(run.stdout).toContain('math.ts:2:3');
      const gemini = {
        session_id: 's',
        cwd: fixture.root,
        hook_event_name: 'AfterTool',
        tool_name: 'write_file',
        tool_input: { file_path: fixture.file('math.ts'), content: await fixture.read('math.ts') },
        tool_response: { llmContent: '', returnDisplay: { originalContent: before } },
      };
      expect((await hook(gemini)).stdout).toContain('math.ts:2:3');
    } finally {
      await fixture.write('math.ts', before);
    }
  });

  test('a patch over several files is one change', async () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: math.ts',
      '@@',
      '-export function half(a: number): number {',
      '+export function halve(a: number): number {',
      '*** Update File: app.ts',
      '@@',
      "-import { add, half } from './math.ts';",
      "+import { add, halve } from './math.ts';",
      '@@',
      '-export const one: number = half(2);',
      '+export const one: number = halve(2);',
      '*** End Patch',
    ];
    const codex = (lines: readonly string[]): unknown => ({
      session_id: 's',
      turn_id: 't',
      cwd: fixture.root,
      hook_event_name: 'PreToolUse',
      tool_name: 'apply_patch',
      tool_input: { command: lines.join('\n') },
    });
    expect((await hook(codex(patch))).stdout).toContain('introduces no errors');
    const first = [...patch.slice(0, 5), '*** End Patch'];
    expect(answer(await hook(codex(first))).additionalContext).toMatch(/^app\.ts:\d+:\d+ /m);
  });
});

describe('in mode turn', () => {
  const session = { session_id: `turn-${process.pid}`, permission_mode: 'default' };
  const event = (fields: Readonly<Record<string, unknown>>): unknown => ({
    ...session,
    cwd: fixture.root,
    ...fields,
  });
  const writing = (file: string): unknown =>
    event({
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_input: { file_path: fixture.file(file), content: '' },
    });
  const turn = (given: unknown): Promise<ProgramRun> => hook(given, '--mode', 'turn');
  const stop = (stop_hook_active: boolean): Promise<ProgramRun> =>
    turn(event({ hook_event_name: 'Stop', stop_hook_active }));

  test('a helper may be used before it is defined', async () => {
    const app = await fixture.read('app.ts');
    const math = await fixture.read('math.ts');
    try {
      expect(await turn(writing('app.ts'))).toMatchObject({ code: 0, stdout: '', stderr: '' });
      await fixture.write(
        'app.ts',
        `${app}import { third } from './math.ts';\nexport const t: number = third(3);\n`,
      );
      await turn(writing('math.ts'));
      await fixture.write('math.ts', `${math}export const third = (n: number): number => n / 3;\n`);
      expect(await stop(false)).toMatchObject({ code: 0, stdout: '' });
    } finally {
      await fixture.write('app.ts', app);
      await fixture.write('math.ts', math);
    }
  });

  test('a broken turn is sent back once, with the errors; then the user is told', async () => {
    const math = await fixture.read('math.ts');
    try {
      await turn(writing('math.ts'));
      await fixture.write('math.ts', math.replace(breaking.old_string, breaking.new_string));
      const first = JSON.parse((await stop(false)).stdout);
      expect(first).toMatchObject({ decision: 'block' });
      expect(first.reason).toMatch(/^Forerun: the edits of this turn introduced \d+ errors/);
      expect(first.reason).toContain(`${fixture.file('math.ts')}:2:3`);
      expect(JSON.parse((await stop(true)).stdout)).toEqual({ systemMessage: first.reason });
      // The turn is over: nothing is left to judge.
      expect(await stop(false)).toMatchObject({ stdout: '' });
    } finally {
      await fixture.write('math.ts', math);
    }
  });
});

describe('for anybody else', () => {
  test('a broken edit is denied with exit code 1 and the errors as data', async () => {
    const input = JSON.stringify({
      file_path: 'math.ts',
      edits: [{ old_text: signature, new_text: breaking.new_string }],
    });
    const run = await runProgram(['hook', ...patient, ...deny], { cwd: fixture.root, input });
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
      'an event that no agent sends',
      () => ({ hook_event_name: 'MoonRise', session_id: 's' }),
      [],
      'the event MoonRise of Claude Code is not known',
    ],
  ])('%s', async (_what, event, words, note) => {
    const run = await hook(event(), ...words);
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toContain('forerun hook: the edit was not judged: ');
    expect(run.stderr).toContain(note);
  });

  test('no time: the edit passes, and the agent is told that it was not judged', async () => {
    const event = preToolUse('Edit', { file_path: 'math.ts', ...breaking });
    const run = await hook(event, ...deny, '--deadline', '1');
    expect(answer(run)).toEqual({
      hookEventName: 'PreToolUse',
      additionalContext: 'Not judged by Forerun: no verdict within 1 ms.',
    });
    expect(run.stderr).toContain('forerun hook: the edit was not judged: no verdict within 1 ms');
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
