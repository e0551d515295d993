/** Commands that wrote where an acceptance cannot bring it along: they run again, and the offer says so. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CommandRun, CommandRunner } from '../../src/agent/command-runner.ts';
import { SandboxedCommands } from '../../src/agent/sandboxed-commands.ts';
import { runTurn } from '../../src/agent/turn.ts';
import { silentLog } from '../../src/base/log.ts';
import { WorkspaceShell } from '../../src/host/chat/chat-shell.ts';
import { HarvestTooLarge } from '../../src/sandbox/sandbox-failure.ts';
import { renderOffer } from '../../src/speculation/engine/offer.ts';
import { noTrust } from '../../src/workspace/trust.ts';
import { flawsOf } from '../support/agent-trial.ts';
import { finishedCommand as ran } from '../support/finished-command.ts';
import { type Scene, SpeculationTrial, type SpeculationTrialOptions } from '../support/speculation-trial.ts';
import { calm } from '../support/world.ts';

const files = {
  'src/port.txt': '80\n',
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'a.test.js': "import test from 'node:test';\ntest('a', () => {});\n",
};
const bash = (command: string) => ({ call: 'Bash', arguments: { command } });
const write = { call: 'Write', arguments: { file_path: 'notes.txt', content: 'Now.\n' } };

/** A question, and a suggestion that writes a file, runs the command and claims that all is well. */
function scenes(command: string): Readonly<Record<string, Scene>> {
  return {
    'What is the port?': { rounds: [[{ text: '80.' }]], suggests: [{ text: 'run the tests' }] },
    'run the tests': { rounds: [[write], [bash(command)], [{ text: 'They pass.' }]] },
  };
}

/** A runner that counts how often it was asked. */
function counting(answer: () => CommandRun): CommandRunner & { readonly commands: string[] } {
  const commands: string[] = [];
  return {
    commands,
    run: async ({ command }) => {
      commands.push(command);
      return answer();
    },
  };
}

function open(command: string, over: Partial<SpeculationTrialOptions>): Promise<SpeculationTrial> {
  return SpeculationTrial.open(files, { scenes: scenes(command), ...over });
}

/** Accepts the suggestion and lives through the turn that is left of it. */
async function accept(ahead: SpeculationTrial): Promise<void> {
  const entry = await ahead.speculation.enter('run the tests', calm);
  expect(entry).toMatchObject({ kind: 'turn', origin: 'accepted', input: [] });
  for await (const _event of runTurn(ahead.conversation, [], {}, calm));
}

test('the offer says that the command runs again, and once accepted it does, as a live command', async () => {
  const lost = { paths: ['/tmp/report.xml', '/tmp/log'], listed: 'all' } as const;
  const live = counting(() => ran);
  const asked: string[] = [];
  await using ahead = await open('npm test', {
    runner: counting(() => ({ ...ran, lost })),
    parts: { commands: live },
    permissions: {
      ask: async ({ call }) => {
        asked.push(call.tool);
        return { kind: 'allow' };
      },
    },
  });
  await ahead.say('What is the port?');
  const { verdict, boundary } = await ahead.until('ready');
  expect(renderOffer(verdict, boundary)).toBe(
    '1 file, tests pass, npm test runs again when you accept: it wrote /tmp/report.xml and 1 more',
  );
  expect(live.commands).toEqual([]);
  await accept(ahead);
  expect(asked).toEqual(['Bash']);
  expect(live.commands).toEqual(['npm test']);
  expect(await ahead.trial.read('notes.txt')).toBe('Now.\n');
  expect(flawsOf(ahead.conversation.history.messages)).toEqual([]);
  // The call is there once: the one that was made for real.
  expect(JSON.stringify(ahead.conversation.history.messages).split('npm test')).toHaveLength(2);
});

test('what such a command changed in the workspace is not kept either: running it again changes it', async () => {
  let seen = 0;
  const runner: CommandRunner = {
    run: async ({ root }) => {
      seen += 1;
      const overlay = root.overlay.write(root.workspace.path('made.txt'), { kind: 'text', text: 'made\n' });
      return { ...ran, overlay, lost: { paths: ['/tmp/x'], listed: 'all' } };
    },
  };
  await using ahead = await open('make all', { runner, parts: { commands: counting(() => ran) } });
  await ahead.say('What is the port?');
  const { verdict } = await ahead.until('ready');
  expect(verdict.files).toBe(1);
  await ahead.speculation.enter('run the tests', calm);
  expect(seen).toBe(1);
  await expect(ahead.trial.read('made.txt')).rejects.toThrow();
});

test('a command whose changes could not be read back is a boundary, not an answer', async () => {
  const runner = counting(() => {
    throw new HarvestTooLarge('900000 files');
  });
  await using ahead = await open('make all', { runner });
  await ahead.say('What is the port?');
  expect(await ahead.until('ready')).toMatchObject({ boundary: { kind: 'bash', detail: 'make all' } });
  expect(runner.commands).toHaveLength(1);
});

describe('in a real sandbox', () => {
  const sandboxed = {
    openCommands: () =>
      new SandboxedCommands({
        env: process.env,
        tiers: () => ['isolated'],
        trust: noTrust,
        log: silentLog,
      }),
  };
  const live = { commands: new WorkspaceShell(() => process.env) };

  test('a file in /tmp is there after the acceptance, because the command ran again', async () => {
    const path = join('/tmp', `lost-${randomUUID()}`);
    const command = `echo passed > ${path} && sed -i s/80/8080/ src/port.txt # test`;
    await using ahead = await open(command, {
      speculation: sandboxed,
      parts: live,
      permissions: { mode: 'bypassPermissions' },
    });
    try {
      await ahead.say('What is the port?');
      const { verdict, boundary } = await ahead.until('ready');
      expect(boundary).toMatchObject({ kind: 'bash', lost: { paths: [path] } });
      expect(renderOffer(verdict, boundary)).toContain('runs again when you accept');
      await expect(readFile(path)).rejects.toThrow();
      await accept(ahead);
      expect(await readFile(path, 'utf8')).toBe('passed\n');
      expect(await ahead.trial.read('src/port.txt')).toBe('8080\n');
    } finally {
      await rm(path, { force: true });
    }
  });

  test('a run of real tests is no reason to run again, nor is a look at the repository', async () => {
    await using ahead = await open('npm test && git status', { speculation: sandboxed, parts: live });
    const { root } = ahead.trial.scratch.workspace;
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    for (const words of [
      ['init', '-q'],
      ['add', '-A'],
      [...author, 'commit', '-qm', 'all'],
    ]) {
      execFileSync('git', words, { cwd: root });
    }
    await ahead.say('What is the port?');
    const { verdict, boundary } = await ahead.until('ready');
    expect(renderOffer(verdict, boundary)).toBe('1 file, tests pass');
  });

  test.each([
    ['a temporary file that is gone at the end', 'f=$(mktemp) && echo x > $f && rm $f'],
    [
      'a cache',
      'mkdir -p /tmp/pytest-of-me/a "$HOME/.cache/tool" && echo x > "$HOME/.cache/tool/x" && echo x > /tmp/pytest-of-me/a/x',
    ],
    ['a full cache', 'mkdir -p ~/.cache/tool && cd ~/.cache/tool && seq 1000 | xargs touch'],
    ['nothing outside', 'echo x > made.txt'],
  ])('%s is no reason to run again', async (_name, command) => {
    await using ahead = await open(command, { speculation: sandboxed, parts: live });
    await ahead.say('What is the port?');
    expect(await ahead.until('ready')).toMatchObject({ boundary: { kind: 'complete' } });
    expect(await ahead.speculation.enter('run the tests', calm)).toMatchObject({ kind: 'answered' });
  });

  test.each([
    ['a socket or pipe in the workspace', 'mkfifo here.pipe'],
    ['a file in the home directory', 'echo x > "$HOME/lost-note.txt"'],
    ['an empty directory', 'mkdir /tmp/lost-directory'],
    ['a program installed beside a cache', 'mkdir -p ~/.cargo/bin && echo x > ~/.cargo/bin/tool'],
    ['a file among very many', 'mkdir /tmp/many && cd /tmp/many && seq 1000 | xargs touch'],
    ['a failure for want of a network', 'echo "connect: Network is unreachable" >&2; exit 7'],
  ])('%s is one', async (_name, command) => {
    await using ahead = await open(command, { speculation: sandboxed, parts: live });
    await ahead.say('What is the port?');
    const { boundary } = await ahead.until('ready');
    expect(boundary).toMatchObject({ kind: 'bash', detail: command });
  });
});
