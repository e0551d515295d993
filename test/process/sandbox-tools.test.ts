import { chmod } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import type { Overlay } from '../../src/overlay/overlay.ts';
import { dispatch } from '../../src/tools/dispatch.ts';
import { OpenedDocuments } from '../../src/tools/opened-documents.ts';
import { simulateCommand } from '../../src/tools/simulate/simulate-command.ts';
import type { ToolResult } from '../../src/tools/tool-result.ts';
import { isIsolationPossible } from '../support/isolation.ts';
import { ToolWorld } from '../support/tool-world.ts';
import { describeTree } from '../support/tree-hash.ts';
import { calm } from '../support/world.ts';

const files = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
  'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, lib: ['es2023'], noEmit: true } }),
  'add.js': 'export const add = (a, b) => a + b;\n',
  'add.test.js': `import assert from 'node:assert';
import { test } from 'node:test';
import { add } from './add.js';
test('adds', () => assert.equal(add(1, 2), 3));
`,
  'main.ts': 'export const answer: number = 42;\n',
  // A compiler as far as its output goes: what is installed outside the workspace cannot be seen from the sandbox.
  'bin/tsc': `#!/bin/sh
grep -q "'42'" main.ts || exit 0
echo "main.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'."
exit 2
`,
};

let world: ToolWorld;

beforeAll(async () => {
  world = await ToolWorld.open(files, { trust: 'trusted' });
});

afterAll(() => world[Symbol.asyncDispose]());

afterEach(() => {
  delete process.env.FORERUN_SANDBOX;
});

describe.runIf(isIsolationPossible)('simulate_command', () => {
  test('runs the tests on the edits of the session and reads their failures', async () => {
    const before = await describeTree(world.world.root);
    const session_id = await sessionWith({ 'add.js': 'export const add = (a, b) => a - b;\n' });
    const { json, hint } = await world.call('simulate_command', { session_id, command: 'npm test' });
    expect(json).toMatchObject({
      session_id,
      command: 'npm test',
      tier: 'isolated',
      ran: true,
      passed: false,
      exit_code: 1,
      failures: [{ file: world.at('add.test.js'), line: 4, test_name: 'adds' }],
      changes: { count: 0, files: [] },
      changes_kept: false,
    });
    expect(hint).toMatch(/simulate_edit/);
    expect(await describeTree(world.world.root)).toEqual(before);
  });

  test('reads the errors of a compiler that it can see', async () => {
    const session_id = await sessionWith({ 'main.ts': "export const answer: number = '42';\n" });
    await chmod(world.at('bin/tsc'), 0o755);
    const tsc = 'bin/tsc --pretty false';
    expect((await world.call('simulate_command', { session_id, command: tsc })).json).toMatchObject({
      passed: false,
      errors: [
        { file: world.at('main.ts'), line: 1, column: 14, message: expect.stringContaining('TS2322') },
      ],
    });
  });

  test('reports what a formatter would change and leaves the session as it is', async () => {
    const session_id = await sessionWith({ 'main.ts': 'export const answer: number = 43;\n' });
    const command = "sed -i 's/const/let/' main.ts && mv add.js sum.js && git init -q";
    const { json } = await world.call('simulate_command', { session_id, command });
    expect(json).toMatchObject({
      passed: true,
      exit_code: 0,
      changes: {
        count: 2,
        files: [
          { path: 'main.ts', kind: 'modified' },
          { path: 'sum.js', kind: 'renamed', from: 'add.js' },
        ],
        diff: expect.stringContaining(
          '-export const answer: number = 43;\n+export let answer: number = 43;\n',
        ),
      },
      repository_changes: expect.arrayContaining(['.git/HEAD']),
      changes_kept: false,
    });
    expect(await patchOf(session_id)).not.toContain('let answer');
  });

  test('takes the changes into the session when told to, and they can be committed', async () => {
    const session_id = await sessionWith({ 'main.ts': 'export const answer: number = 44;\n' });
    const command = "sed -i 's/const/let/' main.ts && echo made > made.txt";
    const call = { session_id, command, keep_changes: true };
    expect((await world.call('simulate_command', call)).json).toMatchObject({ changes_kept: true });
    const patch = await patchOf(session_id);
    expect(patch).toContain('-export const answer: number = 42;\n+export let answer: number = 44;\n');
    expect(patch).toContain('+++ b/made.txt');
  });

  test('keeps within the budget and says what was left out', async () => {
    const session_id = await sessionWith({});
    const command = 'seq 20000; for i in 1 2 3; do seq 2000 > "$i.txt"; done';
    const { json, text } = await world.call('simulate_command', { session_id, command, max_tokens: 1000 });
    expect(json).toMatchObject({
      stdout: expect.stringMatching(/^… \d+ bytes left out …\n[\s\S]*\n20000\n$/),
      output_truncated: true,
      changes: { count: 3, diff_left_out_files: 3, diff: expect.stringContaining('+++ b/1.txt') },
    });
    expect(text.length).toBeLessThan(6000);
  });

  test('says that a command took too long, and keeps nothing of it', async () => {
    const session_id = await sessionWith({});
    const command = 'echo half > half.txt; sleep 1000';
    const call = { session_id, command, timeout_ms: 1000, keep_changes: true };
    const { json, hint } = await world.call('simulate_command', call);
    expect(json).toMatchObject({ passed: false, timed_out: true, timeout_ms: 1000, changes_kept: false });
    expect(json).not.toHaveProperty('exit_code');
    expect(hint).toMatch(/timeout_ms/);
  });

  test('stops at a boundary where commands cannot be kept from the disk', async () => {
    process.env.FORERUN_SANDBOX = 'readonly';
    const session_id = await sessionWith({ 'main.ts': 'export const answer: number = 45;\n' });
    const { json, isError } = await world.call('simulate_command', { session_id, command: 'cat main.ts' });
    expect(isError).toBe(false);
    expect(json).toMatchObject({
      tier: 'readonly',
      tier_because: expect.stringMatching(/\w/),
      ran: false,
      passed: false,
      boundary: { rule: 'overlay-unseen' },
    });
  });

  test('runs on a copy where the user allows that, and speaks of the workspace', async () => {
    process.env.FORERUN_SANDBOX = 'copied';
    const session_id = await sessionWith({ 'main.ts': 'export const answer: number = 46;\n' });
    const { json } = await world.call('simulate_command', { session_id, command: 'cat main.ts; pwd' });
    expect(json).toMatchObject({
      tier: 'copied',
      stdout: `export const answer: number = 46;\n${world.world.root}\n`,
    });
  });

  test('does not run on a copy, where it is not confined, unless the workspace is trusted', async () => {
    process.env.FORERUN_SANDBOX = 'copied';
    await using untrusted = await ToolWorld.open(files);
    const { id } = await untrusted.world.session('typescript');
    const refused = await untrusted.call('simulate_command', { session_id: id, command: 'touch ran' });
    expect(refused).toMatchObject({ isError: true, meta: { code: 'workspace/untrusted' } });
    process.env.FORERUN_SANDBOX = 'copied,readonly';
    const answer = await untrusted.call('simulate_command', { session_id: id, command: 'touch ran' });
    expect(answer.json).toMatchObject({ tier: 'readonly', ran: false });
  });

  test('refuses a session that has ended, and one nobody knows', async () => {
    const session_id = await sessionWith({});
    await world.call('discard_session', { session_id });
    for (const [id, code] of [
      [session_id, 'session/terminal'],
      ['nobody', 'session/not-found'],
    ]) {
      const answer = await world.call('simulate_command', { session_id: id, command: 'true' });
      expect(answer).toMatchObject({ isError: true, meta: { code } });
    }
  });

  test('does not lay its changes over edits made meanwhile', async () => {
    const session_id = await sessionWith({ 'main.ts': 'export const answer: number = 47;\n' });
    const { sessions, workspace } = world.world;
    const meanwhile: Promise<void>[] = [];
    // The command is announced once it is settled what it will see.
    const progress = (): void => {
      const edit = async (overlay: Overlay) => overlay.writeText(workspace.path('y.txt'), 'y');
      meanwhile.push(sessions.find(session_id).transform(edit, calm));
    };
    const answer = await simulate({ session_id, command: 'echo x > x.txt', keep_changes: true }, progress);
    await Promise.all(meanwhile);
    expect(answer).toMatchObject({ isError: true, meta: { code: 'tools/session-moved' } });
  });

  test('says how a long run is coming along', async () => {
    const session_id = await sessionWith({});
    const received: string[] = [];
    const command = 'for i in 1 2 3; do echo step $i; sleep 0.7; done';
    await simulate({ session_id, command }, (message) => void received.push(message));
    expect(received[0]).toBe(`running ${command}`);
    expect(received.slice(1)).toContainEqual(expect.stringMatching(/^step \d$/));
  });
});

/** Calls the tool with somebody who listens to its progress. */
function simulate(
  args: Readonly<Record<string, unknown>>,
  progress: (message: string) => void,
): Promise<ToolResult> {
  const { workspaces, sessions } = world.world;
  const connection = { documents: new OpenedDocuments(), setLogLevel: () => {}, progress };
  return dispatch(
    { workspaces, sessions, log: silentLog, connection },
    { tools: [simulateCommand], guards: [], name: 'simulate_command', arguments: args },
    calm,
  );
}

describe.runIf(isIsolationPossible)('evaluate_session with commands', () => {
  const verdictOf = async (edits: Record<string, string>, commands: string[]): Promise<unknown> => {
    const session_id = await sessionWith(edits);
    return (await world.call('evaluate_session', { session_id, commands, timeout_ms: 30_000 })).json;
  };
  const harmless = { 'main.ts': 'export const answer: number = 48;\n' };

  test('is clean only when all of them pass', async () => {
    expect(await verdictOf(harmless, ['npm test', 'grep 48 main.ts'])).toMatchObject({
      verdict: 'clean',
      errors_introduced: [],
      commands: [
        { command: 'npm test', tier: 'isolated', passed: true },
        { command: 'grep 48 main.ts', passed: true },
      ],
    });
  });

  test('is broken when one of them fails, whatever the language server says', async () => {
    expect(await verdictOf(harmless, ['true', 'grep 42 main.ts'])).toMatchObject({
      verdict: 'broken',
      errors_introduced: [],
      commands: [{ passed: true }, { passed: false, exit_code: 1 }],
    });
  });

  test('runs them one after the other in one place', async () => {
    expect(await verdictOf(harmless, ['echo built > out.txt', 'cat out.txt'])).toMatchObject({
      commands: [{ passed: true }, { stdout: 'built\n' }],
    });
  });

  test('is unknown when one of them could not be run', async () => {
    process.env.FORERUN_SANDBOX = 'copied';
    expect(await verdictOf(harmless, ['npm test'])).toMatchObject({
      verdict: 'unknown',
      doubts: [expect.stringContaining('"npm test" was not run')],
      commands: [{ tier: 'readonly', ran: false }],
    });
  });
});

async function sessionWith(edits: Readonly<Record<string, string>>): Promise<string> {
  const { sessions, workspace } = world.world;
  const session = await world.world.session('typescript');
  const entries = Object.entries(edits).map(
    ([path, text]) => [workspace.path(path), { kind: 'text', text } as const] as const,
  );
  if (entries.length > 0) {
    await sessions.find(session.id).transform(async (overlay) => overlay.writeAll(entries), calm);
  }
  return session.id;
}

async function patchOf(session_id: string): Promise<string> {
  const { text } = await world.call('commit_session', { session_id, patch_format: 'unified' });
  return JSON.parse(text).patch;
}
