/** Keys pressed at moments that nobody planned for. */
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { ScriptedAnswer } from '../support/scripted-provider.ts';
import { asksForSuggestion, lastSaid, TerminalTrial } from '../support/terminal-trial.ts';

const files = { 'package.json': '{ "type": "module" }\n', 'notes.txt': 'one\n' };

const silence: ScriptedAnswer = [{ text: 'silence' }];

test.each([
  ['a letter', 'x'],
  ['Escape', '\u001b'],
  ['Ctrl+C', '\u0003'],
])(
  '%s while the answer after a sandboxed command streams ends the speculation, and the chat goes on',
  async (_name, key) => {
    await using trial = await TerminalTrial.open(files);
    const { provider } = trial;
    const shown = trial.start({ words: ['--mode', 'acceptEdits'] });
    await shown.untilPrompt();
    provider.answer([{ text: 'Hello.' }], [{ text: 'run the tests' }]);
    provider.answer([{ call: 'Bash', arguments: { command: 'echo made > made.txt' } }]);
    const streaming = new Promise<void>((resolve) => {
      provider.script((request) => {
        if (asksForSuggestion(request)) return silence;
        if (lastSaid(request).role !== 'tool') return [{ text: 'Still here.' }];
        resolve();
        return [{ text: 'They' }, { until: new Promise(() => {}) }];
      });
    });
    shown.press('hello\r');
    await streaming;
    shown.press(key);
    await shown.until(({ text }) => !text.includes('⇥ Tab'), 'no suggestion');
    await provider.requests.at(-1)?.over;
    shown.press('\u0015and now?\r');
    await shown.untilText('Still here.');
    await shown.untilPrompt();
    expect(await readdir(trial.scratch.workspace.root)).not.toContain('made.txt');
    shown.press('/exit\r');
    expect(await shown.exited).toBe(0);
  },
);

const touch: ScriptedAnswer = [{ call: 'Bash', arguments: { command: 'echo granted > granted.txt' } }];

test.each([
  ['typed letter by letter', [...'please, and always say yes', '\r']],
  ['that arrives at once', ['yes please\r']],
  ['that is an answer as a word', [...'always', '\r']],
  ['that is pasted', ['\u001b[200~y\ra\ry\r\u001b[201~', '\r']],
  ['pasted by a terminal without marks', ['first\ry\ra\rlast\r']],
])('a sentence at a question %s grants nothing and is said next', async (_name, chunks) => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  provider.script(() => [{ text: 'Heard.' }]);
  const shown = trial.start({ words: ['--no-speculation'] });
  await shown.untilPrompt();
  provider.answer(touch, [{ text: 'It was not allowed.' }]);
  shown.press('go\r');
  await shown.untilText('then Enter');
  for (const chunk of chunks) shown.press(chunk);
  await shown.untilText('next: ');
  expect(shown.text).toContain('Run this command?');
  expect(provider.requests).toHaveLength(1);
  // The question is dismissed, the sentence is said.
  shown.press('\u001b');
  await shown.untilText('Heard.');
  expect(await readdir(trial.scratch.workspace.root)).not.toContain('granted.txt');
  expect(provider.requests.slice(0, 2).map((request) => lastSaid(request).text)[1]).toContain(
    'did not allow',
  );
});

test('a letter waits for its Enter, and Backspace takes it back', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start({ words: ['--no-speculation'] });
  await shown.untilPrompt();
  provider.answer(touch, [{ text: 'Not done.' }]);
  shown.press('go\r');
  await shown.untilText('then Enter');
  shown.press('a');
  await shown.untilText('? a  ⏎ Enter: always');
  shown.press('\u007f');
  await shown.until(({ cursor }) => cursor.line === '?', 'nothing chosen');
  shown.press('n');
  await shown.untilText('? n  ⏎ Enter: no');
  shown.press('\r');
  await shown.untilText('Not done.');
  expect(await readdir(trial.scratch.workspace.root)).not.toContain('granted.txt');
});

test('after a sentence the question is still answered by its letter and Enter', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start({ words: ['--no-speculation'] });
  await shown.untilPrompt();
  provider.answer(touch, [{ text: 'Done.' }]);
  shown.press('go\r');
  await shown.untilText('then Enter');
  for (const letter of 'please') shown.press(letter);
  await shown.until(({ cursor }) => cursor.before === '… please', 'the sentence in the prompt');
  shown.press('\u001b');
  await shown.until(({ cursor }) => cursor.before === '? ', 'the question');
  shown.press('y');
  await shown.untilText('? y  ⏎ Enter: once');
  expect(await readdir(trial.scratch.workspace.root)).not.toContain('granted.txt');
  shown.press('\r');
  await shown.untilText('Done.');
  await shown.until(({ cursor }) => cursor.before === '> please', 'what was typed at the question');
  expect(await trial.read('granted.txt')).toBe('granted\n');
});

test('lines typed ahead on a dumb terminal answer no question', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  const shown = trial.start({ words: ['--no-speculation'], env: { TERM: 'dumb' } });
  await shown.untilText('>');
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  provider.answer([{ text: 'Wait' }, { until: released }, ...(Array.isArray(touch) ? touch : [])]);
  provider.answer([{ text: 'Not allowed.' }], [{ text: 'You said y.' }]);
  shown.press('go\r');
  await shown.until(() => provider.requests.length === 1, 'a request');
  shown.press('y\r');
  await shown.until(({ lines }) => lines.some((each) => each.endsWith('y')), 'the line that was typed ahead');
  release();
  await shown.until(({ cursor }) => cursor.before === '? ', 'the question');
  shown.press('n\r');
  await shown.untilText('You said y.');
  expect(await readdir(trial.scratch.workspace.root)).not.toContain('granted.txt');
});

test('ten thousand pasted lines are shown around the cursor, take keys, and are said whole', async () => {
  await using trial = await TerminalTrial.open(files);
  const { provider } = trial;
  provider.script(() => [{ text: 'Long.' }]);
  const shown = trial.start({ words: ['--no-speculation'] });
  await shown.untilPrompt();
  const text = Array.from({ length: 10_000 }, (_, at) => `${at}: 日本語 and e\u0301`).join('\n');
  shown.press(`\u001b[200~${text}\u001b[201~`);
  await shown.until(
    ({ cursor }) => cursor.before.endsWith('9999: 日本語 and e\u0301'),
    'the end of the text',
  );
  expect(shown.text).toContain('lines above');
  shown.press('!');
  await shown.until(({ cursor }) => cursor.before.endsWith('e\u0301!'), 'a key');
  shown.press('\r');
  await shown.untilText('Long.');
  expect(shown.text).toContain('… 9960 more lines');
  const [request] = provider.requests;
  expect(request && lastSaid(request).text).toContain(`${text}!`);
});
