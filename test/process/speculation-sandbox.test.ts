/** Speculations that run commands, for real, in a world that is not. */
import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { SandboxedCommands } from '../../src/agent/sandboxed-commands.ts';
import { silentLog } from '../../src/base/log.ts';
import { renderOffer } from '../../src/speculation/engine/offer.ts';
import { type Scene, SpeculationTrial, type SpeculationTrialOptions } from '../support/speculation-trial.ts';
import { describeTree } from '../support/tree-hash.ts';
import { calm } from '../support/world.ts';

const files = { 'src/port.txt': '80\n', 'check.sh': 'grep -q 8080 src/port.txt && test -f notes.txt\n' };

const bash = (command: string) => ({ call: 'Bash', arguments: { command } });

const scenes: Readonly<Record<string, Scene>> = {
  'What is the port?': { rounds: [[{ text: '80.' }]], suggests: [{ text: 'use 8080 and run the tests' }] },
  'use 8080 and run the tests': {
    rounds: [
      [{ call: 'Write', arguments: { file_path: 'notes.txt', content: 'Now 8080.\n' } }],
      [bash('sed -i s/80/8080/ src/port.txt && echo made > made.txt')],
      [bash('sh check.sh # test')],
      [{ text: 'They pass.' }],
    ],
  },
};

const sandboxed = {
  openCommands: () =>
    new SandboxedCommands({
      env: process.env,
      tiers: () => ['isolated', 'copied'],
      log: silentLog,
      trust: { trustOf: () => 'trusted' },
    }),
};

function open(over: Partial<SpeculationTrialOptions> = {}): Promise<SpeculationTrial> {
  return SpeculationTrial.open(files, { scenes, speculation: sandboxed, ...over });
}

test('what commands change is offered, proved by a command, and real only when it is accepted', async () => {
  await using ahead = await open();
  const before = await describeTree(ahead.trial.scratch.workspace.root);
  await ahead.say('What is the port?');
  const { verdict, boundary } = await ahead.until('ready');
  expect(renderOffer(verdict, boundary)).toBe('3 files, tests pass, 1 command passed');
  expect(await describeTree(ahead.trial.scratch.workspace.root)).toEqual(before);
  expect(await ahead.speculation.enter('use 8080 and run the tests', calm)).toMatchObject({
    kind: 'answered',
  });
  expect(await ahead.trial.read('src/port.txt')).toBe('8080\n');
  expect(await ahead.trial.read('notes.txt')).toBe('Now 8080.\n');
  expect(await ahead.trial.read('made.txt')).toBe('made\n');
});

describe('a file that only a command changed', () => {
  test.each([
    ['src/port.txt', '443\n'],
    ['made.txt', 'mine\n'],
  ])('and the user changed since is a conflict: %s', async (path, text) => {
    await using ahead = await open();
    await ahead.say('What is the port?');
    await ahead.until('ready');
    await writeFile(ahead.trial.scratch.at(path), text);
    expect(await ahead.speculation.enter('use 8080 and run the tests', calm)).toMatchObject({
      kind: 'turn',
      origin: 'plain',
      conflicts: [path],
    });
    expect(await ahead.trial.read(path)).toBe(text);
  });
});

describe('a file that a command may have read', () => {
  test.each([
    ['and the user changed since', 'check.sh', 'exit 1\n'],
    ['and the user made since', 'src/late.txt', 'late\n'],
  ])('%s is a conflict: nothing is lost, and the input runs', async (_name, path, text) => {
    await using ahead = await open();
    await ahead.say('What is the port?');
    await ahead.until('ready');
    await writeFile(ahead.trial.scratch.at(path), text);
    const before = await describeTree(ahead.trial.scratch.workspace.root);
    const { messages } = ahead.conversation.history;
    const entry = await ahead.speculation.enter('use 8080 and run the tests', calm);
    expect(entry).toMatchObject({ kind: 'turn', origin: 'plain', conflicts: [path] });
    expect(ahead.conversation.history.messages).toBe(messages);
    expect(await describeTree(ahead.trial.scratch.workspace.root)).toEqual(before);
  });

  test('is none for having been changed by the speculation before it', async () => {
    const first = 'use 8080 and run the tests';
    await using ahead = await open({
      scenes: {
        ...scenes,
        [first]: { rounds: scenes[first]?.rounds ?? [], suggests: [{ text: 'now run them again' }] },
        'now run them again': { rounds: [[bash('sh check.sh # test')], [{ text: 'Still.' }]] },
      },
      speculation: { ...sandboxed, depth: 2 },
    });
    await ahead.say('What is the port?');
    await ahead.until('ready', 1);
    for (const input of [first, 'now run them again']) {
      expect(await ahead.speculation.enter(input, calm), input).toMatchObject({ kind: 'answered' });
    }
  });
});

test('where the user is asked about edits, a command that changes files is a boundary', async () => {
  await using ahead = await open({
    permissions: { mode: 'default' },
    scenes: {
      ...scenes,
      'use 8080 and run the tests': {
        rounds: [[bash('grep -c 80 src/port.txt')], [bash('echo x > made.txt')]],
      },
    },
  });
  await ahead.say('What is the port?');
  const { verdict, boundary } = await ahead.until('ready');
  expect(boundary).toMatchObject({ kind: 'bash', detail: 'echo x > made.txt' });
  expect(verdict).toMatchObject({
    files: 0,
    commands: [{ command: 'grep -c 80 src/port.txt', outcome: 'passed' }],
  });
});
