/** A user who rejects suggestions, at a real terminal: they are told of the pause, and how it ends. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CostGovernor } from '../../src/speculation/cost-governor.ts';
import { bin } from '../support/built-program.ts';
import { SpeculationTrial } from '../support/speculation-trial.ts';
import { asksForSuggestion, type ShownTerminal, TerminalTrial } from '../support/terminal-trial.ts';
import { calm } from '../support/world.ts';

const run = promisify(execFile);

test('six dismissals pause the suggestions of a workspace, which is told once; /speculation on resumes', async () => {
  await using trial = await TerminalTrial.open({ 'a.txt': 'a\n' });
  const { provider } = trial;
  provider.script((request) =>
    asksForSuggestion(request) ? [{ text: 'run the tests' }] : [{ text: 'Nothing to do.' }],
  );
  const guesses = (): number => provider.requests.filter(asksForSuggestion).length;
  const shown = trial.start({ rows: 60 });
  await shown.untilPrompt();
  for (let count = 1; count <= 6; count += 1) {
    await say(shown, `number ${count}`);
    await shown.untilText('⇥ Tab  no files changed');
    shown.press('\u001b');
    await shown.until(({ text }) => !text.includes('⇥ Tab'), 'the suggestion dismissed');
  }
  expect(guesses()).toBe(6);
  for (const word of ['seven', 'eight']) await say(shown, word);
  await shown.untilText('Working ahead is paused in this workspace until');
  expect(shown.sent.split('Working ahead is paused')).toHaveLength(2);
  expect(guesses()).toBe(6);

  const { stdout } = await run(process.execPath, [bin, 'stats'], {
    cwd: trial.scratch.workspace.root,
    env: trial.env,
  });
  expect(stdout).toMatch(/paused in this workspace until .*: none of the last 6 suggestions was accepted/);

  shown.press('/speculation on\r');
  await shown.untilText('speculation: on');
  await say(shown, 'nine');
  await shown.untilText('⇥ Tab  no files changed');
  expect(guesses()).toBe(7);
});

/** One turn, to its end. */
async function say(shown: ShownTerminal, text: string): Promise<void> {
  await shown.untilPrompt();
  shown.press(`${text}\r`);
  await shown.until(({ lines }) => {
    const at = lines.lastIndexOf(`> ${text}`);
    return at >= 0 && lines.slice(at).some((line) => line.includes('Nothing to do.'));
  }, `the answer to ${text}`);
  await shown.untilPrompt();
}

test('a command to the chat takes a suggestion away without counting against it', async () => {
  const governor = new CostGovernor({ past: [], workspace: 'new', dailyTokens: 1e9, price: 'free' });
  await using ahead = await SpeculationTrial.open(
    { 'a.txt': 'a\n' },
    {
      scenes: {
        hello: { rounds: [[{ text: 'Hello.' }]], suggests: [{ text: 'run the tests' }] },
        'run the tests': { rounds: [[{ text: 'There are none.' }]] },
      },
      speculation: { governor },
    },
  );
  for (let count = 0; count < 8; count += 1) {
    await ahead.say('hello');
    await ahead.until('ready');
    expect(ahead.speculation.typed('/')).toBe('aborted');
    expect(ahead.speculation.state).toMatchObject({ kind: 'aborted' });
  }
  expect(governor.pause).toBeUndefined();
});

test('a new user of a metered provider has the first suggestion worked out', async () => {
  const governor = new CostGovernor({
    past: [],
    workspace: 'new',
    sessionTokens: 1_000_000,
    dailyTokens: 2_000_000,
    price: 'metered',
  });
  await using ahead = await SpeculationTrial.open(
    { 'a.txt': 'a\n' },
    {
      scenes: {
        'What is in a?': { rounds: [[{ text: 'An a.' }]], suggests: [{ text: 'make it a b' }] },
        'make it a b': {
          rounds: [
            [{ call: 'Write', arguments: { file_path: 'b.txt', content: 'b\n' } }],
            [{ text: 'Done.' }],
          ],
        },
      },
      speculation: { governor },
    },
  );
  await ahead.say('What is in a?');
  expect(await ahead.until('ready')).toMatchObject({ boundary: { kind: 'complete' }, verdict: { files: 1 } });
  expect(await ahead.speculation.enter('make it a b', calm)).toMatchObject({ kind: 'answered' });
  expect(governor.spent).toBeGreaterThan(0);
});
