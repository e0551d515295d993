/** Keys pressed at moments that nobody planned for. */
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { ScriptedAnswer } from '../support/scripted-provider.ts';
import { asksForSuggestion, lastSaid, TerminalTrial } from './terminal-trial.ts';

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
