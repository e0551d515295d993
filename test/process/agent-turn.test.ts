/** Whole conversations with a scripted provider, in every dialect. */
import { link } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { interruptedResult, interruptNotice } from '../../src/agent/notice.ts';
import { runTurn } from '../../src/agent/turn.ts';
import type { TurnEvent } from '../../src/agent/turn-event.ts';
import { textOf, toolCallsOf } from '../../src/model/message.ts';
import { readText } from '../../src/overlay/overlay.ts';
import { AgentTrial, flawsOf, turn } from '../support/agent-trial.ts';
import type { ScriptedAnswer } from '../support/scripted-provider.ts';
import { dialectProviders } from '../support/scripted-provider-client.ts';
import { calm } from '../support/world.ts';

const files = { 'src/app.ts': 'export const port = 80;\n', 'README.md': 'Port 80.\n' };

const editing: readonly ScriptedAnswer[] = [
  [
    { text: 'Looking.' },
    { call: 'Read', arguments: { file_path: 'src/app.ts' } },
    { call: 'Grep', arguments: { pattern: 'Port \\d+', output_mode: 'content' } },
  ],
  [{ call: 'Edit', arguments: { file_path: 'src/app.ts', old_string: '80', new_string: '8080' } }],
  [{ text: 'The port is 8080 now.' }],
];

test('an edit that splits hard links says so to the model', async () => {
  await using trial = await AgentTrial.open(files);
  await link(trial.scratch.at('src/app.ts'), trial.scratch.at('src/same.ts'));
  trial.provider.answer(...editing);
  const { events } = await turn(trial.begin(), 'Use port 8080');
  expect(resultsOf(events).at(-1)?.[2]).toMatch(/^Edited src\/app\.ts.*\nWarning: .*hard link/s);
  expect(await trial.read('src/same.ts')).toBe('export const port = 80;\n');
});

describe.each(dialectProviders)('over %s', (provider) => {
  test('a conversation reads, edits and answers, and the file is changed', async () => {
    await using trial = await AgentTrial.open(files, { provider });
    trial.provider.answer(...editing);
    const conversation = trial.begin();
    const { outcome, events } = await turn(conversation, 'Use port 8080');
    expect(outcome).toEqual({ kind: 'answered', stop: 'end' });
    expect(await trial.read('src/app.ts')).toBe('export const port = 8080;\n');
    expect(await trial.read('README.md')).toBe(files['README.md']);
    expect(flawsOf(conversation.history.messages)).toEqual([]);
    expect(resultsOf(events)).toEqual([
      ['Read', 'done', '     1\texport const port = 80;'],
      ['Grep', 'done', 'README.md:1:Port 80.'],
      ['Edit', 'done', 'Edited src/app.ts: 1 replacement.'],
    ]);
  });

  test('each request begins with the bytes of the one before', async () => {
    await using trial = await AgentTrial.open(files, { provider });
    trial.provider.answer(...editing);
    await turn(trial.begin(), 'Use port 8080');
    const bodies = trial.provider.requests.map(({ body }) =>
      body.replaceAll(',"cache_control":{"type":"ephemeral"}', ''),
    );
    for (const [index, body] of bodies.slice(1).entries()) {
      const before = bodies[index]?.replace(/\]\}$/, '') ?? '';
      expect(body.startsWith(before)).toBe(true);
    }
  });

  test('an answer that breaks off is asked for again, and none of its calls was made', async () => {
    await using trial = await AgentTrial.open(files, { provider });
    trial.provider.answer(
      [{ text: 'I am' }, { call: 'Write', arguments: { file_path: 'lost.ts', content: '1' } }, { cut: true }],
      [{ text: 'Here I am.' }],
    );
    const conversation = trial.begin();
    const { outcome, events } = await turn(conversation, 'Hello');
    expect(outcome).toMatchObject({ kind: 'answered' });
    expect(events.map(({ kind }) => kind)).toContain('restarted');
    expect(conversation.history.messages.at(-1)).toEqual({
      role: 'assistant',
      content: [{ kind: 'text', text: 'Here I am.' }],
    });
    await expect(trial.read('lost.ts')).rejects.toThrow();
  });

  test('an answer that breaks off twice fails the turn, and the conversation goes on', async () => {
    await using trial = await AgentTrial.open(files, { provider });
    trial.provider.answer(
      [{ text: 'I am' }, { cut: true }],
      [{ text: 'I was' }, { cut: true }],
      [{ text: 'Yes.' }],
    );
    const conversation = trial.begin();
    const first = await turn(conversation, 'Hello');
    expect(first.outcome).toMatchObject({ kind: 'failed', failure: { code: 'model/stream-cut' } });
    expect(flawsOf(conversation.history.messages)).toEqual([]);
    const second = await turn(conversation, 'Are you there?');
    expect(second.outcome).toMatchObject({ kind: 'answered' });
    expect(flawsOf(conversation.history.messages)).toEqual([]);
  });

  test('an error inside an answer fails the turn in words', async () => {
    await using trial = await AgentTrial.open(files, { provider });
    trial.provider.script(() => [
      { error: { type: 'invalid_request_error', message: 'no more room in the queue' } },
    ]);
    const conversation = trial.begin();
    const { outcome } = await turn(conversation, 'Hello');
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(flawsOf(conversation.history.messages)).toEqual([]);
  });

  test('a call that leaked into the prose is made, and is a call in the conversation', async () => {
    await using trial = await AgentTrial.open(files, { provider });
    trial.provider.answer(
      [{ text: 'Reading it.\n<tool_call>{"name":"Read","arguments":{"file_path":"README.md"}}</tool_call>' }],
      [{ text: 'It says port 80.' }],
    );
    const conversation = trial.begin();
    const { events } = await turn(conversation, 'What does the readme say?');
    expect(events.find(({ kind }) => kind === 'tool-proposed')).toMatchObject({ origin: 'salvaged' });
    expect(resultsOf(events)).toEqual([['Read', 'done', '     1\tPort 80.']]);
    const [, answer] = conversation.history.messages;
    expect(answer && textOf(answer)).toBe('Reading it.');
    expect(flawsOf(conversation.history.messages)).toEqual([]);
  });

  test('arguments that are not JSON come back as an error the model can mend', async () => {
    await using trial = await AgentTrial.open(files, { provider });
    // Ollama sends arguments as an object, so there what is wrong is what the object holds.
    const broken = provider === 'ollama' ? {} : '{"file_path": README.md}';
    trial.provider.answer(
      [{ call: 'Read', arguments: broken }],
      [{ call: 'Read', arguments: { file_path: 'README.md' } }],
      [{ text: 'Port 80.' }],
    );
    const conversation = trial.begin();
    const { outcome, events } = await turn(conversation, 'Read the readme');
    expect(outcome).toMatchObject({ kind: 'answered' });
    expect(resultsOf(events).map(([, state]) => state)).toEqual(['failed', 'done']);
    expect(flawsOf(conversation.history.messages)).toEqual([]);
  });

  test('interrupted at any event, the conversation is sound and goes on', async () => {
    const lengths = await countEvents(provider);
    for (let at = 0; at < lengths; at += 1) {
      await using trial = await AgentTrial.open(files, { provider });
      trial.provider.answer(...editing);
      const conversation = trial.begin();
      const controller = new AbortController();
      const events: TurnEvent[] = [];
      for await (const event of runTurn(
        conversation,
        [{ kind: 'text', text: 'Use port 8080' }],
        {},
        controller.signal,
      )) {
        if (events.length === at) controller.abort();
        events.push(event);
      }
      expect(flawsOf(conversation.history.messages), `event ${at}`).toEqual([]);
      const last = events.at(-1);
      expect(last?.kind === 'done' && ['answered', 'interrupted'].includes(last.outcome.kind)).toBe(true);
      const text = await trial.read('src/app.ts');
      expect(['export const port = 80;\n', 'export const port = 8080;\n']).toContain(text);
      trial.provider.script(() => [{ text: 'Going on.' }]);
      expect(await turn(conversation, 'Go on')).toMatchObject({ outcome: { kind: 'answered' } });
      expect(flawsOf(conversation.history.messages), `after event ${at}`).toEqual([]);
    }
  });
});

test('interrupted while tools run, what was done is told as done and the rest as not', async () => {
  const controller = new AbortController();
  const commands = {
    run: (_request: unknown, signal: AbortSignal): Promise<never> => {
      const ended = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      controller.abort();
      return ended;
    },
  };
  await using trial = await AgentTrial.open(files, {
    parts: { commands },
    permissions: { mode: 'bypassPermissions' },
  });
  trial.provider.answer([
    { call: 'Read', arguments: { file_path: 'README.md' } },
    { call: 'Bash', arguments: { command: 'sleep 1000' } },
    { call: 'Write', arguments: { file_path: 'late.ts', content: '' } },
  ]);
  const conversation = trial.begin();
  const { outcome } = await turn(conversation, 'Do it', controller.signal);
  expect(outcome).toEqual({ kind: 'interrupted' });
  expect(conversation.history.messages.at(-1)?.content).toMatchObject([
    { name: 'Read', outcome: 'done' },
    { name: 'Bash', outcome: 'failed', text: interruptedResult },
    { name: 'Write', outcome: 'failed', text: interruptedResult },
    { kind: 'text', text: interruptNotice },
  ]);
  await expect(trial.read('late.ts')).rejects.toThrow();
});

test('words the user has read stay, when a turn is interrupted while they are being asked again', async () => {
  await using trial = await AgentTrial.open(files);
  const controller = new AbortController();
  trial.provider.script(({ json }) => {
    if (json.tool_choice !== 'required') return [{ text: "I've created it." }];
    controller.abort();
    return [{ until: new Promise(() => {}) }];
  });
  const conversation = trial.begin();
  expect(await turn(conversation, 'Create it', controller.signal)).toMatchObject({
    outcome: { kind: 'interrupted' },
  });
  expect(conversation.history.messages.slice(1).map(textOf)).toEqual(["I've created it.", interruptNotice]);
});

test('a second turn is refused while one is under way, and the first is not disturbed', async () => {
  await using trial = await AgentTrial.open(files);
  let release = (): void => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  trial.provider.answer([{ text: 'One' }, { until }, { text: ' moment.' }]);
  const conversation = trial.begin();
  for await (const { kind } of runTurn(conversation, [{ kind: 'text', text: 'Hello' }], {}, calm)) {
    if (kind !== 'text') continue;
    await expect(turn(conversation, 'Hurry')).rejects.toMatchObject({ code: 'agent/busy' });
    release();
  }
  expect(conversation.history.messages).toHaveLength(2);
  expect(conversation.history.messages.map(textOf)[1]).toBe('One moment.');
});

test('a conversation that cannot be kept ends its turn in words, and stays sound', async () => {
  await using trial = await AgentTrial.open(files);
  const conversation = await trial.kept();
  trial.provider.answer([{ call: 'Read', arguments: { file_path: 'README.md' } }]);
  const { rm, writeFile } = await import('node:fs/promises');
  await writeFile(dirname(trial.shelf.directory), '').catch(() => undefined);
  const { outcome } = await turn(conversation, 'Hello');
  expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'storage/transcript-unwritable' } });
  expect(flawsOf(conversation.history.messages)).toEqual([]);
  await rm(dirname(trial.shelf.directory), { recursive: true, force: true });
});

test('what nobody allowed is not done, and the tools offered stay the same', async () => {
  await using trial = await AgentTrial.open(files, { permissions: { mode: 'default' } });
  trial.provider.answer(
    [
      { call: 'Read', arguments: { file_path: 'README.md' } },
      { call: 'Write', arguments: { file_path: 'x', content: '' } },
    ],
    [{ text: 'I may not.' }],
  );
  const { events } = await turn(trial.begin(), 'Write x');
  expect(resultsOf(events).map(([name, outcome]) => [name, outcome])).toEqual([
    ['Read', 'done'],
    ['Write', 'failed'],
  ]);
  expect(events.find(({ kind }) => kind === 'tool-denied')).toMatchObject({
    reason: expect.stringContaining('Edit(**)'),
  });
  await expect(trial.read('x')).rejects.toThrow();
  const [first, second] = trial.provider.requests.map(({ json }) => json.tools);
  expect(second).toEqual(first);
});

test('a file the rules hide is in no answer', async () => {
  const hidden = { 'secret.env': 'key = needle\n', 'a.ts': 'needle\n' };
  const deny = [{ tool: 'Read', pattern: '*.env' }];
  await using trial = await AgentTrial.open(hidden, { permissions: { deny } });
  trial.provider.answer(
    [
      { call: 'Read', arguments: { file_path: 'secret.env' } },
      { call: 'Grep', arguments: { pattern: 'needle' } },
      { call: 'Glob', arguments: { pattern: '*' } },
    ],
    [{ text: 'Only a.ts.' }],
  );
  const { events } = await turn(trial.begin(), 'Find the needle');
  expect(resultsOf(events).map(([name, , text]) => [name, text])).toEqual([
    ['Read', 'This is denied by the rule Read(*.env).'],
    ['Grep', 'a.ts'],
    ['Glob', 'a.ts'],
  ]);
});

test('leaving the loop early ends the turn before the loop is left', async () => {
  await using trial = await AgentTrial.open(files);
  trial.provider.answer([{ text: 'One moment' }, { until: new Promise(() => {}) }]);
  const conversation = trial.begin();
  for await (const { kind } of runTurn(conversation, [{ kind: 'text', text: 'Hello' }], {}, calm)) {
    if (kind === 'text') break;
  }
  const last = conversation.history.messages.at(-1);
  expect(last && textOf(last)).toBe(interruptNotice);
  expect(await trial.provider.requests[0]?.over).toBe('left');
});

test('a guard halts a turn at its boundary, and the calls after it are answered as halted', async () => {
  await using trial = await AgentTrial.open(files);
  trial.provider.answer([
    { call: 'Read', arguments: { file_path: 'README.md' } },
    { call: 'Bash', arguments: { command: 'npm publish' } },
    { call: 'Read', arguments: { file_path: 'src/app.ts' } },
  ]);
  const parent = trial.begin();
  const fork = parent.fork({
    commands: parent.setup.commands,
    guards: [
      {
        decide: async ({ effect }) =>
          effect === 'process' ? { kind: 'halt', reason: 'npm publish' } : { kind: 'allow' },
      },
    ],
  });
  const { outcome, events } = await turn(fork, 'Publish it');
  expect(outcome).toEqual({
    kind: 'halted',
    boundary: { kind: 'bash', tool: 'Bash', detail: 'npm publish' },
  });
  expect(resultsOf(events)).toHaveLength(1);
  expect(flawsOf(fork.history.messages)).toEqual([]);
  expect(parent.history.messages).toEqual([]);
});

test('a fork edits its own files and shares its beginning with its parent, to the byte', async () => {
  await using trial = await AgentTrial.open(files, { provider: 'anthropic' });
  trial.provider.answer([{ call: 'Read', arguments: { file_path: 'src/app.ts' } }], [{ text: 'Port 80.' }]);
  const parent = trial.begin();
  await turn(parent, 'What is the port?');
  trial.provider.answer(
    [{ call: 'Edit', arguments: { file_path: 'src/app.ts', old_string: '80', new_string: '81' } }],
    [{ call: 'Grep', arguments: { pattern: 'port = ', output_mode: 'content' } }],
    [{ text: 'Done.' }],
  );
  const fork = parent.fork({ guards: [], commands: parent.setup.commands });
  const { events } = await turn(fork, 'Make it 81');
  expect(resultsOf(events)).toEqual([
    ['Edit', 'done', 'Edited src/app.ts: 1 replacement.'],
    ['Grep', 'done', 'src/app.ts:1:export const port = 81;'],
  ]);
  expect(fork.history.prefix.divergence(parent.history.prefix)).toEqual([]);
  expect(await trial.read('src/app.ts')).toBe('export const port = 80;\n');
  const [{ files: parentFiles }] = parent.setup.roots;
  expect((await readText(parentFiles.overlay(), trial.scratch.workspace.path('src/app.ts'))).text).toContain(
    '= 80;',
  );
  const changes = await fork.setup.roots[0].files.overlay().changes('stack');
  expect(changes.map(({ path, kind }) => [path, kind])).toEqual([['src/app.ts', 'modified']]);
});

test('a change on disk between reading and writing is a conflict the model hears of', async () => {
  await using trial = await AgentTrial.open(files);
  const conversation = trial.begin();
  trial.provider.answer([{ call: 'Read', arguments: { file_path: 'src/app.ts' } }], [{ text: 'Port 80.' }]);
  await turn(conversation, 'What is the port?');
  const { writeFile } = await import('node:fs/promises');
  await writeFile(trial.scratch.at('src/app.ts'), 'export const port = 443;\n');
  trial.provider.answer(
    [{ call: 'Edit', arguments: { file_path: 'src/app.ts', old_string: 'port', new_string: 'gate' } }],
    [{ text: 'It changed.' }],
  );
  const { events } = await turn(conversation, 'Rename it');
  expect(resultsOf(events)).toEqual([
    [
      'Edit',
      'failed',
      'src/app.ts has changed since it was read. Read src/app.ts again, then repeat the call.',
    ],
  ]);
  expect(await trial.read('src/app.ts')).toBe('export const port = 443;\n');
});

test('an answer that only says it has done it is asked for once more with a call required', async () => {
  await using trial = await AgentTrial.open(files);
  trial.provider.answer(
    [{ text: "I've created notes.txt with the list." }],
    [{ call: 'Write', arguments: { file_path: 'notes.txt', content: 'list\n' } }],
    [{ text: 'Now it is there.' }],
  );
  const conversation = trial.begin();
  const { events } = await turn(conversation, 'Create notes.txt with the list');
  expect(trial.provider.requests.map(({ json }) => json.tool_choice)).toEqual([
    undefined,
    'required',
    undefined,
  ]);
  expect(events.find(({ kind }) => kind === 'tool-proposed')).toMatchObject({ origin: 'forced' });
  expect(events.filter(({ kind }) => kind === 'usage')).toHaveLength(3);
  expect(await trial.read('notes.txt')).toBe('list\n');
  expect(flawsOf(conversation.history.messages)).toEqual([]);
});

test('a model that was asked again without need keeps the answer it gave', async () => {
  await using trial = await AgentTrial.open(files);
  trial.provider.answer(
    [{ text: "I've added all I know about it above." }],
    [{ call: 'reply_to_user', arguments: { text: 'As I said.' } }],
  );
  const conversation = trial.begin();
  await turn(conversation, 'Summarise the module');
  expect(conversation.history.messages.slice(1)).toEqual([
    { role: 'assistant', content: [{ kind: 'text', text: "I've added all I know about it above." }] },
  ]);
  expect(trial.provider.requests).toHaveLength(2);
});

test.each(dialectProviders)('an ordinary answer over %s is never asked for twice', async (provider) => {
  await using trial = await AgentTrial.open(files, { provider });
  trial.provider.script(() => [{ text: 'Let me explain: a port is a number.' }]);
  await turn(trial.begin(), 'What is a port?');
  expect(trial.provider.requests).toHaveLength(1);
});

test('a full window is summed up, with the steps and files word for word', async () => {
  await using trial = await AgentTrial.open(files, { agent: { contextTokens: 600, maxTokens: 64 } });
  trial.provider.answer(
    [
      { call: 'Read', arguments: { file_path: 'README.md' } },
      { call: 'TodoWrite', arguments: { todos: [{ content: 'Say it', status: 'in_progress' }] } },
    ],
    [{ text: 'The user wants to know the port; the readme says 80.' }],
    [{ text: 'Port 80.' }],
  );
  const conversation = await trial.kept();
  const { events, outcome } = await turn(conversation, 'What is the port?');
  expect(outcome).toMatchObject({ kind: 'answered' });
  expect(events.map(({ kind }) => kind)).toContain('compacted');
  const [first] = conversation.history.messages;
  const text = first ? textOf(first) : '';
  expect(text).toContain('<environment>');
  expect(text).toContain('the readme says 80');
  expect(text).toContain('[~] Say it');
  expect(text).toContain(trial.scratch.at('README.md'));
  expect(flawsOf(conversation.history.messages)).toEqual([]);
  const kept = await trial.shelf.open(conversation.id).read();
  expect(kept.filter(({ kind }) => kind === 'message').length).toBeGreaterThan(2);
  const resumed = await trial.kept(conversation.id);
  expect(resumed.history.messages).toEqual(conversation.history.messages);
  expect(resumed.todos).toEqual([{ content: 'Say it', status: 'in_progress' }]);
});

test('a window that overflows is summed up and the question asked again, with results shortened where needed', async () => {
  await using trial = await AgentTrial.open({ 'long.txt': 'line\n'.repeat(2000) });
  const conversation = trial.begin();
  trial.provider.answer([{ call: 'Read', arguments: { file_path: 'long.txt' } }], [{ text: 'Long.' }]);
  await turn(conversation, 'Read it');
  const tooLong = {
    status: 400,
    body: { error: { code: 'context_length_exceeded', message: 'maximum context length is 100 tokens' } },
  };
  trial.provider.answer(tooLong, tooLong, [{ text: 'The user had long.txt read.' }], [{ text: 'Yes.' }]);
  const { outcome } = await turn(conversation, 'Was it long?');
  expect(outcome).toEqual({ kind: 'answered', stop: 'end' });
  const [, , overflowing, whole, shortened, asked] = trial.provider.requests.map(({ body }) => body.length);
  expect(whole).toBeGreaterThan(overflowing ?? 0);
  expect(shortened).toBeLessThan(whole ?? 0);
  expect(asked).toBeLessThan(overflowing ?? 0);
  expect(conversation.history.messages.map(textOf)[0]).toContain('Was it long?');
  expect(flawsOf(conversation.history.messages)).toEqual([]);
});

test('a turn ends when it has taken as many rounds as it may', async () => {
  await using trial = await AgentTrial.open(files);
  trial.provider.script(() => [{ call: 'Glob', arguments: { pattern: '**/*.ts' } }]);
  const conversation = trial.begin();
  const events: TurnEvent[] = [];
  for await (const event of runTurn(conversation, [{ kind: 'text', text: 'Look' }], { maxRounds: 3 }, calm))
    events.push(event);
  expect(events.at(-1)).toEqual({ kind: 'done', outcome: { kind: 'exhausted', rounds: 3 } });
  expect(flawsOf(conversation.history.messages)).toEqual([]);
});

test('an edit is told with what it introduces, and a judge that fails has proved nothing', async () => {
  const judgements = [
    {
      verdict: 'broken' as const,
      introduced: [
        { path: 'src/app.ts', line: 1, column: 7, severity: 'error' as const, message: 'Cannot find name' },
      ],
      resolved: [],
      doubts: [],
    },
  ];
  const judge = {
    judge: async () => {
      const next = judgements.shift();
      if (!next) throw new Error('the server is gone');
      return next;
    },
  };
  await using trial = await AgentTrial.open(files, { parts: { judge } });
  trial.provider.answer(
    [{ call: 'Write', arguments: { file_path: 'a.ts', content: 'x' } }],
    [{ call: 'Write', arguments: { file_path: 'b.ts', content: 'y' } }],
    [{ text: 'Done.' }],
  );
  const { events } = await turn(trial.begin(), 'Write them');
  expect(resultsOf(events).map(([, , text]) => text)).toEqual([
    'Created a.ts.\nDiagnostics: this introduces errors (1 introduced).\n+ src/app.ts:1:7 error: Cannot find name',
    'Created b.ts.\nDiagnostics: not proved; do not treat it as clean.\n? the server is gone',
  ]);
});

function resultsOf(events: readonly TurnEvent[]): readonly (readonly [string, string, string])[] {
  return events.flatMap((event) =>
    event.kind === 'tool-finished'
      ? [[event.result.name, event.result.outcome, event.result.text] as const]
      : [],
  );
}

async function countEvents(provider: (typeof dialectProviders)[number]): Promise<number> {
  await using trial = await AgentTrial.open(files, { provider });
  trial.provider.answer(...editing);
  const conversation = trial.begin();
  const { events } = await turn(conversation, 'Use port 8080');
  expect(
    conversation.history.messages.flatMap((m) => (m.role === 'assistant' ? toolCallsOf(m) : [])),
  ).toHaveLength(3);
  return events.length;
}
