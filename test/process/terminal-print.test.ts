/** The chat without a person: one question from a script, or lines from a pipe. */
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../../src/model/json-value.ts';
import { type ProgramRun, runProgram } from '../support/built-program.ts';
import { runInProcess } from '../support/in-process-program.ts';
import { asksForSuggestion, TerminalTrial } from '../support/terminal-trial.ts';

const files = { 'a.txt': 'one\n' };

function chat(trial: TerminalTrial, words: readonly string[], input = ''): Promise<ProgramRun> {
  return runInProcess(['chat', ...words], { cwd: trial.scratch.workspace.root, env: trial.env, input });
}

function objects(stdout: string): readonly JsonObject[] {
  return stdout
    .trim()
    .split('\n')
    .map((text) => parseJson(text))
    .filter(isJsonObject);
}

const read = [{ call: 'Read', arguments: { file_path: 'a.txt' } }];
const edit = [{ call: 'Edit', arguments: { file_path: 'a.txt', old_string: 'one', new_string: 'two' } }];

describe('-p', () => {
  test('prints the answer and nothing else', async () => {
    await using trial = await TerminalTrial.open(files);
    trial.provider.answer(read, [{ text: 'It says **one**.' }]);
    expect(await chat(trial, ['-p', 'what is in a.txt?'])).toEqual({
      code: 0,
      stdout: 'It says **one**.\n',
      stderr: '',
    });
    expect(trial.provider.requests.filter(asksForSuggestion)).toEqual([]);
  });

  test('as JSON tells every event and the result last; what needs permission is denied', async () => {
    await using trial = await TerminalTrial.open(files);
    trial.provider.answer(read, edit, [{ text: 'I may not.' }]);
    const { code, stdout } = await chat(trial, ['-p', 'make it two', '--json']);
    const reported = objects(stdout);
    expect(code).toBe(0);
    expect(reported.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['text', 'tool-proposed', 'tool-denied', 'done']),
    );
    expect(reported.at(-1)).toMatchObject({
      kind: 'result',
      outcome: 'answered',
      answer: 'I may not.',
      changed: [],
      denied: [{ reason: expect.stringContaining('Edit(**)') }],
    });
    expect(await trial.read('a.txt')).toBe('one\n');
  });

  test('does what the mode allows', async () => {
    await using trial = await TerminalTrial.open(files);
    trial.provider.answer(read, edit, [{ text: 'Done.' }]);
    const { code, stdout } = await chat(trial, ['-p', 'make it two', '--json', '--mode', 'acceptEdits']);
    expect(code).toBe(0);
    expect(objects(stdout).at(-1)).toMatchObject({ outcome: 'answered', changed: ['a.txt'], denied: [] });
    expect(objects(stdout).findLast(({ kind }) => kind === 'tool-finished')).toMatchObject({
      patch: [{ kind: 'modified', newPath: 'a.txt' }],
    });
    expect(await trial.read('a.txt')).toBe('two\n');
  });

  test('runs commands where they are allowed, both streams in order', async () => {
    await using trial = await TerminalTrial.open(files);
    const command = 'echo out; echo err >&2; echo more; touch made; exit 3';
    trial.provider.answer([{ call: 'Bash', arguments: { command } }], [{ text: 'It failed.' }]);
    const words = ['-p', 'run it', '--json', '--mode', 'bypassPermissions'];
    const { stdout } = await chat(trial, words);
    const finished = objects(stdout).find(({ kind }) => kind === 'tool-finished');
    expect(finished).toMatchObject({ result: { text: 'out\nerr\nmore\nExit code 3.', outcome: 'failed' } });
    expect(await trial.read('made')).toBe('');
  });

  test('goes on with the last conversation', async () => {
    await using trial = await TerminalTrial.open(files);
    trial.provider.answer([{ text: 'Noted.' }], [{ text: 'It was blue.' }]);
    await chat(trial, ['-p', 'the word is blue']);
    await chat(trial, ['--resume', '-p', 'what was it?']);
    expect(trial.provider.requests[1]?.body).toContain('the word is blue');
  });

  test('fails with a sentence and what to do', async () => {
    await using trial = await TerminalTrial.open(files);
    trial.provider.answer({ status: 401, body: { error: { message: 'no' } } });
    const { code, stderr } = await chat(trial, ['-p', 'hello']);
    expect(code).toBe(1);
    expect(stderr).toContain('[model/bad-key]');
    trial.provider.answer({ status: 401, body: { error: { message: 'no' } } });
    const reported = await chat(trial, ['-p', 'hello', '--json']);
    expect(reported.code).toBe(1);
    expect(objects(reported.stdout).at(-1)).toMatchObject({
      outcome: 'failed',
      failure: { code: 'model/bad-key' },
    });
  });
});

test('without a model the sentence says what to do', async () => {
  await using trial = await TerminalTrial.open(files);
  const { code, stderr, stdout } = await runProgram(['chat', '-p', 'hello'], {
    cwd: trial.scratch.workspace.root,
    env: { ...trial.env, FORERUN_BASE_URL: '' },
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('which needs an address');
  expect(stderr).toContain('ollama pull');
  expect(stderr).toContain('[model/none-found]');
});

test('lines from a pipe are asked one after the other, and nobody is asked for permission', async () => {
  await using trial = await TerminalTrial.open(files);
  trial.provider.answer([{ text: 'First.' }], read, edit, [{ text: 'I may not.' }]);
  const { code, stdout } = await chat(trial, [], 'one\n/mode\ny\n');
  expect(code).toBe(0);
  expect(stdout).toContain('First.');
  expect(stdout).toContain('mode: default');
  expect(stdout).toContain('I may not.');
  expect(stdout).not.toContain('\u001b');
  expect(await trial.read('a.txt')).toBe('one\n');
});
