/** Completion in a shell, as the shell runs it. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { runProgram } from '../support/built-program.ts';

/** What bash offers for the last of the words. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout: script } = await runProgram(['completions', 'bash']);
  const line = ['forerun', ...words].map((word) => `'${word}'`).join(' ');
  const shown = `${script}\nCOMP_WORDS=(${line})\nCOMP_CWORD=${words.length}\n_forerun\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', shown], { encoding: 'utf8', cwd: '/' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

test.each([
  [['wha'], ['whatif']],
  [
    ['daemon', 'st'],
    ['status', 'stop'],
  ],
  [
    ['init', '--toolset', ''],
    ['full', 'core'],
  ],
  [['init', '--dry'], ['--dry-run']],
  [['whatif', '--scope', 'w'], ['workspace']],
])('bash completes %j', async (words, expected) => {
  expect(await offered(...words)).toEqual(expected);
});

test('where no word of ours fits, files are completed', async () => {
  expect(await offered('whatif', '/us')).toEqual(['/usr']);
});

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  const isInstalled = spawnSync(shell, ['--version']).error === undefined;

  test.skipIf(!isInstalled)('accepts the script', async () => {
    const { stdout } = await runProgram(['completions', shell]);
    expect(spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  test('is offered every command', async () => {
    const { stdout } = await runProgram(['completions', shell]);
    const program = buildProgram({ signal: new AbortController().signal, closing: () => {} }, () => {});
    const missing = program.commands
      .map((command) => command.name())
      .filter((name) => !stdout.includes(name));
    expect(missing).toEqual([]);
  });
});
