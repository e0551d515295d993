/** The question at the first opening of a workspace, at a real terminal. */
import { expect, test } from 'vitest';
import { runProgram } from '../support/built-program.ts';
import { TerminalTrial } from '../support/terminal-trial.ts';

const files = { 'package.json': '{}\n' };
const question = 'Do you trust it? [y/N]';

test.each([
  ['y', 'trusted'],
  ['yes', 'trusted'],
  ['YES', 'trusted'],
  ['n', 'untrusted'],
  ['', 'untrusted'],
  ['yes please, and say hello', 'untrusted'],
  ['please fix the typo', 'untrusted'],
  ['a', 'untrusted'],
])('the answer %j leaves the workspace %s', async (answer, expected) => {
  await using trial = await TerminalTrial.open(files, 'untrusted');
  const { root } = trial.scratch.workspace;
  const shown = trial.start({ words: ['--no-speculation'] });
  await shown.untilText(question);
  shown.press(answer);
  expect(trial.store.list()).toEqual([]);
  shown.press('\r');
  await shown.untilPrompt();
  expect(trial.store.trustOf(root)).toBe(expected);
  // The chat goes on either way, with the keyboard in its hands.
  trial.provider.answer([{ text: 'hello there' }]);
  shown.press('hello\r');
  await shown.untilText('hello there');
});

test('a yes is remembered, a no only as long as the process lives', async () => {
  await using trial = await TerminalTrial.open(files, 'untrusted');
  for (const answer of ['n', 'y']) {
    const shown = trial.start({ words: ['--no-speculation'] });
    await shown.untilText(question);
    shown.press(`${answer}\r`);
    await shown.untilPrompt();
    await shown.end();
  }
  const last = trial.start({ words: ['--no-speculation'] });
  await last.untilPrompt();
  expect(last.text).not.toContain(question);
});

test.each([
  ['a workspace with nothing to run', { 'notes.md': '# notes\n' }, []],
  ['a workspace trusted by the flag', files, ['--trust']],
])('nothing is asked about %s', async (_, content, words) => {
  await using trial = await TerminalTrial.open(content, 'untrusted');
  const shown = trial.start({ words: ['--no-speculation', ...words] });
  await shown.untilPrompt();
  expect(shown.text).not.toContain(question);
  expect(trial.store.list()).toEqual([]);
});

test('nobody is asked with --print or through a pipe, and nothing is trusted', async () => {
  await using trial = await TerminalTrial.open(files, 'untrusted');
  const options = { cwd: trial.scratch.workspace.root, env: trial.env };
  trial.provider.answer([{ text: 'printed' }], [{ text: 'piped' }]);
  const printed = await runProgram(['chat', '-p', 'y'], { ...options, input: 'y\n' });
  const piped = await runProgram(['chat'], { ...options, input: 'y\n' });
  for (const { stdout } of [printed, piped]) expect(stdout).not.toContain('trust');
  expect(printed.stdout).toContain('printed');
  expect(piped.stdout).toContain('piped');
  expect(trial.store.list()).toEqual([]);
});
