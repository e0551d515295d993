import { expect, test } from 'vitest';
import { AgentTrial } from '../../test/support/agent-trial.ts';
import { calm } from '../../test/support/world.ts';
import { runTurn } from '../agent/turn.ts';
import type { TurnEvent } from '../agent/turn-event.ts';
import { NoCredit } from '../model/model-failure.ts';
import { makeFilePatch } from '../text/unified-diff.ts';
import { type StyledLine, textOfLine } from './line/styled-line.ts';
import { TurnRenderer } from './turn-renderer.ts';

const patch = makeFilePatch({ oldPath: 'a.ts', newPath: 'a.ts', before: 'one\n', after: 'two\n' });

/** A renderer and its screen. */
function openView(): { readonly renderer: TurnRenderer; readonly shown: () => string } {
  const said: StyledLine[] = [];
  let unfinished: readonly StyledLine[] = [];
  const renderer = new TurnRenderer({
    writing: { columns: 60, marks: 'styled' },
    say: (lines) => void said.push(...lines),
    showUnfinished: (lines) => {
      unfinished = lines;
    },
    showRunning: () => {},
    notice: () => {},
    keepOutput: () => {},
  });
  return { renderer, shown: () => [...said, ...unfinished].map(textOfLine).join('\n') };
}

/** The screen after a turn. */
function written(events: readonly TurnEvent[]): string {
  const { renderer, shown } = openView();
  for (const event of events) renderer.receive(event);
  return shown();
}

const call = {
  kind: 'tool-call',
  id: '1',
  name: 'Edit',
  input: { kind: 'object', value: { file_path: 'a.ts' } },
} as const;

const done: TurnEvent = { kind: 'done', outcome: { kind: 'answered', stop: 'end' } };

function answer(text: string): TurnEvent {
  return { kind: 'answer', message: { role: 'assistant', content: [{ kind: 'text', text }] } };
}

test('text, a call with its diff and its verdict, and text again', () => {
  expect(
    written([
      { kind: 'text', text: 'I will **ed' },
      { kind: 'text', text: 'it** it.' },
      {
        kind: 'answer',
        message: { role: 'assistant', content: [{ kind: 'text', text: 'I will **edit** it.' }, call] },
      },
      { kind: 'tool-proposed', call, origin: 'native' },
      {
        kind: 'diagnostics',
        id: '1',
        judgement: {
          verdict: 'broken',
          introduced: [{ path: 'b.ts', line: 3, column: 5, severity: 'error', message: 'no such name' }],
          resolved: [],
          doubts: [],
        },
      },
      {
        kind: 'tool-finished',
        result: { kind: 'tool-result', id: '1', name: 'Edit', text: 'Edited.\nmore', outcome: 'done' },
        changed: ['a.ts'],
        patch: [patch],
      },
      { kind: 'text', text: 'Done.' },
      answer('Done.'),
      done,
    ]),
  ).toMatchInlineSnapshot(`
    "
    I will edit it.
    ● Edit a.ts (2 lines, Ctrl+O)
    a.ts +1 -1
    @@ -1 +1 @@
    -one
    +two
      ✗ 1 error introduced
        b.ts:3:5 error no such name

    Done."
  `);
});

test('two subscribers of one conversation both see the diff', async () => {
  await using trial = await AgentTrial.open({ 'a.ts': 'one\n' });
  trial.provider.answer(
    [{ call: 'Read', arguments: { file_path: 'a.ts' } }],
    [{ call: 'Edit', arguments: { file_path: 'a.ts', old_string: 'one', new_string: 'two' } }],
    [{ text: 'Done.' }],
  );
  const views = [openView(), openView()];
  for await (const event of runTurn(trial.begin(), [{ kind: 'text', text: 'Make it two' }], {}, calm)) {
    for (const { renderer } of views) renderer.receive(event);
  }
  for (const { shown } of views) expect(shown()).toContain('a.ts +1 -1\n@@ -1 +1 @@\n-one\n+two');
});

test('a call that failed says why', () => {
  const result = {
    kind: 'tool-result',
    id: '1',
    name: 'Edit',
    text: 'a.ts has not been read',
    outcome: 'failed',
  } as const;
  expect(
    written([
      { kind: 'tool-proposed', call, origin: 'native' },
      { kind: 'tool-finished', result, changed: [], patch: [] },
    ]).split('\n')[0],
  ).toBe('✗ Edit a.ts a.ts has not been read');
});

test('an answer that was never heard piece by piece is shown all the same, and none twice', () => {
  expect(written([answer('Only at the end.'), done])).toBe('\nOnly at the end.');
  expect(written([{ kind: 'text', text: 'Heard. ' }, answer('Heard.'), done])).toBe('\nHeard. ');
});

test('what went wrong is told with what to do', () => {
  const failure = new NoCredit('the account is empty');
  const shown = written([{ kind: 'done', outcome: { kind: 'failed', failure } }]);
  expect(shown).toContain('the account is empty');
  expect(shown).toContain(`${failure.remedy} [${failure.code}]`);
});
