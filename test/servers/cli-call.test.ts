/** `forerun call`, and what the program says to words it does not know. */
import { describe, expect, test } from 'vitest';
import { runProgram } from '../support/built-program.ts';
import { openFixture } from '../support/fixture.ts';
import { runInProcess } from '../support/in-process-program.ts';

test('a tool runs in process and prints its payload', async () => {
  await using fixture = await openFixture('ts-two-modules');
  const run = await runProgram([
    'call',
    'get_diagnostics',
    JSON.stringify({ file_path: fixture.file('math.ts') }),
  ]);
  expect(run).toMatchObject({ code: 0, stdout: `{"file://${fixture.file('math.ts')}":[]}\n` });
});

test('a tool that reports an error ends with 1, and --json shows all of it', async () => {
  const run = await runInProcess(['call', 'destroy_session', '--json']);
  expect(run.code).toBe(1);
  expect(JSON.parse(run.stdout)).toMatchObject({
    isError: true,
    content: [{ text: 'session_id is required' }, {}],
  });
});

describe('words the program does not know', () => {
  test.each<[string, readonly string[], number, string]>([
    ['a tool', ['call', 'nonsense'], 2, 'unknown tool: nonsense'],
    ['arguments that are not JSON', ['call', 'list_sessions', '{'], 2, 'the arguments are not JSON'],
    ['a command', ['nonsense'], 64, "unknown command 'nonsense'"],
    ['an unreadable patch', ['whatif', '/nowhere/x.patch'], 2, 'cannot read /nowhere/x.patch'],
    ['a timeout', ['whatif', '-', '--timeout', 'soon'], 64, 'Give a positive integer.'],
    ['a flag of serving', ['mcp', '--nonsense'], 1, 'unknown option "--nonsense"'],
    ['a server', ['mcp', 'go:'], 1, 'invalid argument "go:": binary path is empty'],
    ['a config file', ['mcp', '--config', '/nowhere.json'], 1, 'cannot read /nowhere.json'],
    ['a missing file', ['mcp', '--config'], 1, '--config requires a file path argument'],
  ])('%s', async (_what, words, code, sentence) => {
    const run = await runInProcess(words);
    expect(run.stderr).toContain(sentence);
    expect(run).toMatchObject({ code, stdout: '' });
  });
});

test('bare, with a program on the other end, it serves until that program leaves', async () => {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '0' },
  };
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`;
  const run = await runProgram([], { input });
  expect(run.code).toBe(0);
});

test('help and version are answers, not errors', async () => {
  expect(await runProgram(['--version'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
  for (const words of [['--help'], ['mcp', '--help'], ['whatif', '--help'], ['doctor', '--help']]) {
    expect(await runInProcess(words)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage: forerun'),
    });
  }
});
