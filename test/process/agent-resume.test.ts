/** Conversations that outlive the process they were held in. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';

import { expect, test } from 'vitest';
import { titleOf } from '../../src/agent/conversation-record.ts';
import { interruptedResult } from '../../src/agent/notice.ts';
import { AgentTrial, flawsOf, turn } from '../support/agent-trial.ts';
import { childProgram } from '../support/child-program.ts';

const files = { 'a.ts': 'export const a = 1;\n' };

test('a resumed conversation goes on where it was, and may edit what it had read', async () => {
  await using trial = await AgentTrial.open(files);
  trial.provider.answer([{ call: 'Read', arguments: { file_path: 'a.ts' } }], [{ text: 'It is 1.' }]);
  const first = await trial.kept();
  await turn(first, 'What is a?');
  const [latest] = await trial.shelf.list();
  expect(latest?.id).toBe(first.id);
  const second = await trial.kept((await trial.shelf.find(first.id.slice(0, 8))).id);
  expect(second.history.messages).toEqual(first.history.messages);
  expect(second.history.prefix.bytes).toBe(first.history.prefix.bytes);
  trial.provider.answer(
    [{ call: 'Edit', arguments: { file_path: 'a.ts', old_string: '1', new_string: '2' } }],
    [{ text: 'Now 2.' }],
  );
  expect(await turn(second, 'Make it 2')).toMatchObject({ outcome: { kind: 'answered' } });
  expect(await trial.read('a.ts')).toBe('export const a = 2;\n');
  expect(titleOf(await trial.shelf.open(first.id).read())).toBe('What is a?');
});

test('a process that died between a call and its answer leaves a conversation that goes on', async () => {
  await using trial = await AgentTrial.open(files);
  const first = await trial.kept();
  await first.history.addUserMessage([{ kind: 'text', text: 'Run it' }]);
  await first.history.addAssistantMessage({
    role: 'assistant',
    content: [
      { kind: 'tool-call', id: 'c1', name: 'Bash', input: { kind: 'object', value: { command: 'x' } } },
    ],
  });
  await appendFile(trial.shelf.open(first.id).path, '{"kind":"message","message":{"role":"us');
  const resumed = await trial.kept(first.id);
  expect(resumed.history.messages.at(-1)?.content).toMatchObject([
    { id: 'c1', text: interruptedResult, outcome: 'failed' },
  ]);
  trial.provider.answer([{ text: 'It was interrupted.' }]);
  expect(await turn(resumed, 'What happened?')).toMatchObject({ outcome: { kind: 'answered' } });
  expect(flawsOf(resumed.history.messages)).toEqual([]);
  const again = await trial.kept(first.id);
  expect(flawsOf(again.history.messages)).toEqual([]);
  expect(again.history.messages.at(-1)).toEqual(resumed.history.messages.at(-1));
});

test('killed while it writes, a process loses nothing it was told is kept', async () => {
  await using trial = await AgentTrial.open(files);
  const { id, transcript } = trial.shelf.create();
  for (let life = 0; life < 5; life += 1) {
    const before = (await transcript.read()).length;
    const child = fork(childProgram('agent-resume-child'), [transcript.path], { execArgv: [] });
    let acknowledged = 0;
    child.on('message', () => {
      acknowledged += 1;
      if (acknowledged === 10 + life * 7) child.kill('SIGKILL');
    });
    await once(child, 'exit');
    const entries = await trial.shelf.open(id).read();
    const mine = entries.slice(before);
    expect(mine.length).toBeGreaterThanOrEqual(acknowledged);
    expect(mine.map(({ n }) => n)).toEqual(mine.map((_, index) => index));
  }
});
