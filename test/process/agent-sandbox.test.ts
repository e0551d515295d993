/** Commands of a fork, run for real in a world that is not. */
import { expect, test } from 'vitest';
import { SandboxedCommands } from '../../src/agent/sandboxed-commands.ts';
import { silentLog } from '../../src/base/log.ts';
import { noTrust } from '../../src/workspace/trust.ts';
import { AgentTrial, turn } from '../support/agent-trial.ts';

test('a fork runs commands on its own files, and what they change stays there', async () => {
  await using trial = await AgentTrial.open({ 'a.txt': 'one\n' });
  await using commands = new SandboxedCommands({ env: process.env, log: silentLog, trust: noTrust });
  trial.provider.answer(
    [{ call: 'Read', arguments: { file_path: 'a.txt' } }],
    [{ call: 'Edit', arguments: { file_path: 'a.txt', old_string: 'one', new_string: 'two' } }],
    [
      {
        call: 'Bash',
        arguments: { command: 'cat a.txt && sed -i s/two/three/ a.txt && echo new > made.txt' },
      },
    ],
    [{ call: 'Grep', arguments: { pattern: 'three|new', output_mode: 'content' } }],
    [{ call: 'Bash', arguments: { command: 'cat a.txt; exit 3' } }],
    [{ text: 'Done.' }],
  );
  const fork = trial.begin().fork({ guards: [], commands });
  const { events } = await turn(fork, 'Try it');
  const results = events.flatMap((event) => (event.kind === 'tool-finished' ? [event.result] : []));
  expect(results.slice(2).map(({ outcome, text }) => [outcome, text])).toEqual([
    ['done', 'two'],
    ['done', 'a.txt:1:three\nmade.txt:1:new'],
    ['failed', 'three\nExit code 3.'],
  ]);
  expect(await trial.read('a.txt')).toBe('one\n');
  await expect(trial.read('made.txt')).rejects.toThrow();
});
