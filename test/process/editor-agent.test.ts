import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { settingsOf } from '../../src/config/settings.ts';
import { ChatService } from '../../src/host/chat/chat-service.ts';
import { Forerun } from '../../src/host/forerun.ts';
import { NoModelFound } from '../../src/model/model-failure.ts';
import { DeskTrial } from '../support/desk-trial.ts';
import { workspacePath } from '../support/memory-source.ts';
import type { ScriptedAnswer } from '../support/scripted-provider.ts';
import { answerTo } from '../support/speculation-trial.ts';
import { calm } from '../support/world.ts';

const path = workspacePath('a.txt');
const before = 'one\ntwo\nthree\nfour\nfive\n';

test('an edit is proposed, one hunk rejected, one edited, and the model is told', async () => {
  await using desk = await DeskTrial.open({ 'a.txt': before });
  desk.provider.answer(...editing('two', 'TWO', 'five', 'FIVE'), [{ text: 'Changed both.' }]);
  await desk.turn('shout');
  expect(await desk.editor.read(path)).toBe(before);
  const hunks = desk.view.proposal?.files[0]?.hunks ?? [];
  expect(hunks.map(({ before: old, after }) => [old, after])).toEqual([
    ['two\n', 'TWO\n'],
    ['five\n', 'FIVE\n'],
  ]);
  const [first, second] = hunks;
  await desk.ask('agent.decide', { decisions: [{ hunk: first?.id ?? '', decision: { kind: 'rejected' } }] });
  await desk.ask('agent.decide', {
    decisions: [{ hunk: second?.id ?? '', decision: { kind: 'edited', text: 'V\n' } }],
  });
  expect(await desk.editor.read(path)).toBe('one\ntwo\nthree\nfour\nV\n');
  desk.provider.answer([{ text: 'Understood.' }]);
  await desk.turn('and now?');
  const body = desk.provider.requests.at(-1)?.body ?? '';
  expect(body).toContain(
    'Do not make these changes again unless you are asked to:\\na.txt:2\\n- two\\n+ TWO',
  );
  expect(body).toContain('The user wrote:\\n+ V');
  expect(desk.view.items.filter(({ kind }) => kind === 'user')).toMatchObject([
    { text: 'shout' },
    { text: 'and now?' },
  ]);
});

test('the agent reads unsaved text, and what it read of it goes along', async () => {
  await using desk = await DeskTrial.open({ 'a.txt': before });
  desk.editor.type(path, 'unsaved one\nunsaved two\n');
  desk.panes = [{ path, language: 'plaintext', isUnsaved: true }];
  desk.focus = { path, anchor: 0, head: 11 };
  desk.provider.answer(
    [{ call: 'Read', arguments: { file_path: 'a.txt' } }],
    [{ call: 'get_pane_context', arguments: {} }],
    [{ call: 'list_open_panes', arguments: {} }],
    [{ text: 'Seen.' }],
  );
  await desk.turn('what is in it?');
  const [asked, , context, panes] = desk.provider.requests;
  expect(asked?.body).toContain('The user has a.txt open, with unsaved text, at line 1, column 12.');
  expect(asked?.body).toContain('Selected:\\nunsaved one');
  expect(context?.body).toContain('1\\tunsaved one');
  expect(panes?.body).toContain('This buffer alone.');
  expect(desk.provider.requests.at(-1)?.body).toContain(
    String.raw`{\"uri\":\"a.txt\",\"language\":\"plaintext\",\"unsaved\":true,\"focused\":true}`,
  );
  expect(desk.view.items[0]).toMatchObject({ kind: 'user', text: 'what is in it?', along: ['a.txt'] });
});

test('a call without a file finds the focused buffer, or is told which ones are open', async () => {
  await using desk = await DeskTrial.open({ 'a.txt': before, 'b.txt': 'b\n' });
  desk.panes = [{ path, language: 'plaintext', isUnsaved: false }];
  const edit = { call: 'editor.applyEdit', arguments: { edits: [{ old_string: 'two', new_string: 'TWO' }] } };
  desk.provider.answer([edit], [{ text: 'No.' }]);
  await desk.turn('without a focus');
  expect(desk.provider.requests.at(-1)?.body).toContain('Name one of the open files as uri: a.txt.');
  desk.focus = { path, anchor: 0, head: 0 };
  desk.provider.answer([{ call: 'get_pane_context', arguments: {} }], [edit], [{ text: 'Yes.' }]);
  await desk.turn('with it');
  expect(desk.view.proposal?.files[0]?.hunks.map(({ after }) => after)).toEqual(['TWO\n']);
});

test('a page that loads in the middle of an answer or of a question has what a page has that was there', async () => {
  await using desk = await DeskTrial.open({ 'a.txt': before });
  let goOn: () => void = () => {};
  const until = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  desk.provider.answer(
    [
      { text: 'Let me ' },
      { until },
      { text: 'see.' },
      { call: 'Bash', arguments: { command: 'echo hello' } },
    ],
    [{ call: 'Bash', arguments: { command: 'echo hello again' } }],
    [{ text: 'Done.' }],
  );
  await desk.send('go');
  await desk.until(({ items }) => items.some((item) => item.kind === 'text' && item.text === 'Let me '));
  expect(desk.feature.snapshot().agent).toEqual(desk.view);
  goOn();
  const { state } = await desk.until(
    (view) => view.state.question !== undefined && view.items.at(-1)?.kind === 'tool',
  );
  expect(desk.feature.snapshot().agent).toEqual(desk.view);
  expect(state.question).toMatchObject({
    title: 'Run this command?',
    subject: 'echo hello',
    rule: 'Bash(echo hello)',
  });
  expect(desk.view.items.at(-1)).toMatchObject({ kind: 'tool', title: 'Run echo hello', state: 'asked' });
  await desk.ask('agent.answer', { question: state.question?.id ?? '', answer: 'once' });
  const second = await desk.until(
    (view) => view.state.question !== undefined && view.state.question.id !== state.question?.id,
  );
  await desk.ask('agent.answer', {
    question: second.state.question?.id ?? '',
    answer: 'no',
    words: 'once is enough',
  });
  await desk.until((view) => !view.state.isRunning);
  expect(desk.feature.snapshot().agent).toEqual(desk.view);
  const tools = desk.view.items.filter(({ kind }) => kind === 'tool');
  expect(tools).toMatchObject([{ state: 'done' }, { state: 'denied' }]);
  expect(desk.provider.requests.at(-1)?.body).toContain('The user said: once is enough');
});

test('a permission that is given for good is not asked for again', async () => {
  await using desk = await DeskTrial.open({ 'a.txt': before });
  const run = { call: 'Bash', arguments: { command: 'echo hello' } };
  desk.provider.answer([run], [run], [{ text: 'Twice.' }]);
  await desk.send('go');
  const { state } = await desk.until((view) => view.state.question !== undefined);
  await desk.ask('agent.answer', { question: state.question?.id ?? '', answer: 'always' });
  await desk.until((view) => !view.state.isRunning);
  expect(desk.view.items.filter(({ kind }) => kind === 'tool')).toMatchObject([
    { state: 'done' },
    { state: 'done' },
  ]);
  await expect(
    desk.ask('agent.answer', { question: state.question?.id ?? '', answer: 'no' }),
  ).rejects.toMatchObject({ code: 'editor/question-over' });
});

test('a turn that is stopped in the middle of a question leaves no question behind', async () => {
  await using desk = await DeskTrial.open({ 'a.txt': before });
  desk.provider.answer([{ call: 'Bash', arguments: { command: 'echo hello' } }]);
  await desk.send('go');
  await desk.until((view) => view.state.question !== undefined);
  await desk.ask('agent.stop', {});
  expect(desk.view.state).toMatchObject({ isRunning: false });
  expect(desk.view.state.question).toBeUndefined();
  expect(desk.view.items.at(-1)).toMatchObject({ kind: 'notice', text: 'Stopped.' });
});

test('decisions made while the agent works are carried out when its turn is over', async () => {
  await using desk = await DeskTrial.open({ 'a.txt': before });
  let goOn: () => void = () => {};
  const until = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  desk.provider.answer(...editing('two', 'TWO', 'five', 'FIVE'), [{ until }, { text: 'Done.' }]);
  await desk.send('shout');
  const { proposal } = await desk.until((view) => view.proposal?.files[0]?.hunks.length === 2);
  const [first] = proposal?.files[0]?.hunks ?? [];
  const decisions = [{ hunk: first?.id ?? '', decision: { kind: 'accepted' } as const }];
  expect(await desk.ask('agent.decide', { decisions })).toEqual({ kind: 'waiting' });
  expect(desk.view.proposal?.files[0]?.hunks[0]).toMatchObject({ isWaiting: true });
  expect(await desk.editor.read(path)).toBe(before);
  goOn();
  await desk.until((view) => view.proposal?.files[0]?.hunks[0]?.isWaiting === false);
  expect(await desk.editor.read(path)).toBe('one\nTWO\nthree\nfour\nfive\n');
});

test('in the mode that accepts edits a file has them at once', async () => {
  await using desk = await DeskTrial.open({ 'a.txt': before });
  await desk.ask('agent.mode', { mode: 'acceptEdits' });
  desk.provider.answer(...editing('two', 'TWO', 'five', 'FIVE'), [{ text: 'Done.' }]);
  await desk.turn('shout');
  expect(await desk.editor.read(path)).toBe('one\nTWO\nthree\nfour\nFIVE\n');
  expect(desk.view.proposal).toBeUndefined();
});

test('a suggestion that is sent changes the buffer at once, without a turn', async () => {
  await using desk = await DeskTrial.open({ 'a.txt': before }, { suggestions: 'on' });
  desk.provider.script((request) =>
    answerTo(request, {
      'look at a.txt': { rounds: [[{ text: 'It has five lines.' }]], suggests: [{ text: 'shout in a.txt' }] },
      'shout in a.txt': { rounds: [...editing('two', 'TWO', 'five', 'FIVE'), [{ text: 'Done.' }]] },
    }),
  );
  await desk.turn('look at a.txt');
  const { state } = await desk.until((view) => view.state.suggestion?.stepsReady === 1);
  expect(state.suggestion).toMatchObject({ text: 'shout in a.txt' });
  expect(await desk.editor.read(path)).toBe(before);
  await desk.turn('shout in a.txt');
  expect(await desk.editor.read(path)).toBe('one\nTWO\nthree\nfour\nFIVE\n');
  expect(desk.view.proposal).toBeUndefined();
  expect(desk.view.items.at(-1)).toMatchObject({ kind: 'notice', text: /^Done ahead of you: 1 file/ });
});

test('other words end the suggestion', async () => {
  await using desk = await DeskTrial.open({ 'a.txt': before }, { suggestions: 'on' });
  desk.provider.script((request) =>
    answerTo(request, {
      'look at a.txt': { rounds: [[{ text: 'It has five lines.' }]], suggests: [{ text: 'shout in a.txt' }] },
    }),
  );
  await desk.turn('look at a.txt');
  await desk.until((view) => view.state.suggestion !== undefined);
  await desk.ask('agent.typed', { text: 'sh' });
  expect(desk.view.state.suggestion).toBeDefined();
  await desk.ask('agent.typed', { text: 'sx' });
  expect(desk.view.state.suggestion).toBeUndefined();
});

test('without a model the panel says how to get one, and what was written is kept', async () => {
  await using desk = await DeskTrial.open({ 'a.txt': before }, { model: 'none' });
  const { state } = await desk.until((view) => view.state.model.kind === 'none');
  expect(state.model).toMatchObject({ remedy: new NoModelFound('').remedy });
  await expect(desk.send('hello')).rejects.toMatchObject({ code: 'model/none-found' });
  expect(desk.view.state.isRunning).toBe(false);
});

test('a conversation begun in the editor goes on in a terminal, and the other way round', async () => {
  const desk = await DeskTrial.open({ 'a.txt': before });
  await using _files = desk.scratch;
  desk.provider.answer(...editing('two', 'TWO', 'five', 'FIVE'), [{ text: 'Changed.' }]);
  await desk.turn('shout');
  const id = desk.view.state.conversation?.id ?? '';
  await using forerun = new Forerun({ definitions: [], log: silentLog, env: {}, daemon: 'off' });
  await using terminal = await ChatService.open(
    forerun,
    {
      directory: desk.scratch.workspace.root,
      settings: settingsOf(new Map()),
      find: () => Promise.reject(new Error('no model is asked here')),
      interaction: 'none',
      env: { XDG_STATE_HOME: desk.state.workspace.root },
      log: silentLog,
    },
    calm,
  );
  expect(await terminal.list()).toMatchObject([{ id, title: 'shout' }]);
  await desk.ask('agent.new', {});
  const conversations = await desk.ask('agent.list', {});
  expect(conversations).toMatchObject({ conversations: [{ id, title: 'shout' }] });
  await desk.ask('agent.open', { id });
  expect(desk.view.items.map(({ kind }) => kind)).toEqual(['user', 'tool', 'tool', 'text']);
  expect(desk.view.items[0]).toMatchObject({ kind: 'user', text: 'shout' });
  desk.provider.answer([{ text: 'Yes.' }]);
  await desk.turn('is it in the file?');
  // What nobody decided about when the conversation was left is told as not done.
  expect(desk.provider.requests.at(-1)?.body).toContain('Rejected, and not in the files.');
  await desk[Symbol.asyncDispose]();
});

/** Two edits of a.txt, after it was read. */
function editing(one: string, toOne: string, other: string, toOther: string): readonly ScriptedAnswer[] {
  const edits = [
    { old_string: one, new_string: toOne },
    { old_string: other, new_string: toOther },
  ];
  return [
    [{ call: 'Read', arguments: { file_path: 'a.txt' } }],
    [{ call: 'MultiEdit', arguments: { file_path: 'a.txt', edits } }],
  ];
}
