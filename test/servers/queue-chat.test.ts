/** `forerun chat --queue`: what the agent and its speculations change is judged by a worker. */
import { describe, expect, test } from 'vitest';
import { commitAll } from '../support/git-workspace.ts';
import { QueueTrial, typescriptFiles } from '../support/queue-trial.ts';
import { hasRedis } from '../support/redis-server.ts';
import type { ScriptedAnswer } from '../support/scripted-provider.ts';
import { TerminalTrial } from '../support/terminal-trial.ts';

function edit(from: string, to: string): ScriptedAnswer {
  return [
    {
      call: 'Edit',
      arguments: { file_path: 'src/sum.ts', old_string: from, new_string: to },
      id: `to-${to}`,
    },
  ];
}

const read: ScriptedAnswer = [{ call: 'Read', arguments: { file_path: 'src/sum.ts' } }];

describe.skipIf(!hasRedis)('forerun chat --queue (redis-server is needed)', () => {
  test('the verdict about a speculation is that of a worker, and so is the one about a turn', async () => {
    await using queue = await QueueTrial.open();
    await using trial = await TerminalTrial.open(typescriptFiles);
    const { root } = trial.scratch.workspace;
    await commitAll(root);
    await using worker = await queue.workerHere(root);
    const answered = () => Number(/jobs_total\{end="answered"\} (\d+)/.exec(worker.metricsText())?.[1]);
    const { provider } = trial;
    provider.script(() => [{ text: 'silence' }]);
    const { FORERUN_QUEUE = '', FORERUN_QUEUE_SECRET = '' } = queue.variables();
    const env = { FORERUN_QUEUE, FORERUN_QUEUE_SECRET };
    const shown = trial.start({ words: ['--queue', '--mode', 'acceptEdits'], env });
    await shown.untilPrompt();
    provider.answer(read, [{ text: 'It adds two numbers.' }]);
    provider.answer([{ text: 'take words in place of numbers' }]);
    provider.answer(edit('a: number', 'a: string'), [{ text: 'Now it takes words.' }]);
    shown.press('what does it do?\r');
    // The user of the function is in another file, so the worker has looked at the whole workspace.
    await shown.untilText('take words in place of numbers  ⇥ Tab  1 file, 2 errors introduced');
    expect(answered()).toBe(1);
    expect(await trial.read('src/sum.ts')).toBe(typescriptFiles['src/sum.ts']);

    provider.answer(edit('return a + b', 'return b + a'), [{ text: 'Swapped.' }]);
    shown.press('swap the operands\r');
    await shown.untilText('✓ 0 errors introduced');
    expect(answered()).toBe(2);
    expect(await trial.read('src/sum.ts')).toContain('return b + a');
  });
});

test('without an answer of the queue the chat does not start, and says what to do', async () => {
  await using trial = await TerminalTrial.open(typescriptFiles);
  const env = { FORERUN_QUEUE_SECRET: 'the secret of this test' };
  const shown = trial.start({ words: ['--queue=redis://127.0.0.1:1'], env, columns: 200 });
  expect(await shown.exited).not.toBe(0);
  expect(shown.text).toContain('no queue at redis://127.0.0.1:1');
  expect(shown.text).toContain('Start Redis or Valkey at this address');
  expect(shown.text).toContain('[queue/unreachable]');
});
