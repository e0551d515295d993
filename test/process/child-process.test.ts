import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { spawnChild } from '../../src/process/child-process.ts';
import { type CommandOptions, runCommand } from '../../src/process/run-command.ts';
import { residentBytes } from '../support/resident-bytes.ts';
import { until } from '../support/until.ts';

const cwd = tmpdir();
const { env } = process;
const signal = AbortSignal.timeout(600_000);

const script = (code: string): string[] => [process.execPath, '-e', code];
const child = (code: string) => spawnChild({ command: script(code), cwd, env, log: silentLog });
const run = (command: readonly string[], options: Partial<CommandOptions> = {}) =>
  runCommand({ command, cwd, env, timeoutMs: 60_000, maxOutputBytes: 1 << 20, ...options }, signal);

describe('a child process', () => {
  test('gets its arguments as they are, whatever a shell would make of them', async () => {
    const odd = ['$HOME', '`id`', 'a b', '*', "it's", '"', '', '-n', '; exit 3', 'é\n🙂'];
    const { stdout } = await run([
      ...script('console.log(JSON.stringify(process.argv.slice(1)))'),
      '--',
      ...odd,
    ]);
    expect(JSON.parse(stdout)).toEqual(odd);
  });

  test.each<[string, readonly string[], string]>([
    ['on the search path', ['no-such-program-anywhere'], 'process/command-not-found'],
    ['at a path', ['./no/such/program'], 'process/command-not-found'],
    ['at a directory', [tmpdir()], 'process/command-not-found'],
    ['in an empty command', [], 'process/command-not-found'],
  ])('that cannot be found is said so: %s', (_, command, code) => {
    expect(() => spawnChild({ command, cwd, env, log: silentLog })).toThrow(
      expect.objectContaining({ code }),
    );
  });

  test('is not started where there is no directory', () => {
    const options = { command: [process.execPath], cwd: '/no/such/directory', env, log: silentLog };
    expect(() => spawnChild(options)).toThrow(expect.objectContaining({ code: 'process/spawn-failed' }));
  });

  test.each<[string, string, object]>([
    ['by itself', 'process.exitCode = 3', { code: 3, signal: undefined }],
    ['by a signal', 'process.kill(process.pid, "SIGKILL")', { code: undefined, signal: 'SIGKILL' }],
  ])('tells how it ended: %s', async (_, code, expected) => {
    expect(await child(code).exited).toEqual(expected);
  });

  test('is remembered by the last it said', async () => {
    const noisy = child('process.stderr.write("é".repeat(10_000)); process.stderr.write("the end")');
    await noisy.exited;
    expect(noisy.stderrTail).toMatch(/^é+the end$/);
    expect(Buffer.byteLength(noisy.stderrTail)).toBeGreaterThan(4000);
    expect(Buffer.byteLength(noisy.stderrTail)).toBeLessThanOrEqual(4096);
  });

  test('that minds a polite request ends by it, one that does not is killed', async () => {
    const say = 'console.log("ready"); setInterval(() => {}, 60_000);';
    const polite = child(say);
    await firstOutput(polite);
    expect(await polite.terminate(60_000)).toEqual({ code: undefined, signal: 'SIGTERM' });
    const stubborn = child(`process.on("SIGTERM", () => {}); ${say}`);
    await firstOutput(stubborn);
    expect(await stubborn.terminate(50)).toEqual({ code: undefined, signal: 'SIGKILL' });
    expect(await stubborn.terminate(50)).toEqual({ code: undefined, signal: 'SIGKILL' });
  });

  test.skipIf(process.platform !== 'linux')('is measured with its children', async () => {
    const alone = child('console.log("ready"); setInterval(() => {}, 60_000)');
    await firstOutput(alone);
    expect(await residentBytes(alone.pid)).toBeGreaterThan(10_000_000);
    await alone.terminate(0);
    // A killed watchdog may hold its last page for a moment longer than its group is there.
    await until(async () => expect(await residentBytes(alone.pid)).toBeUndefined());
  });
});

describe('a command', () => {
  test.each<[string, readonly string[], Partial<CommandOptions>, object]>([
    [
      'its output and code',
      script('console.log("out"); console.error("err"); process.exitCode = 2'),
      {},
      { code: 2, stdout: 'out\n', stderr: 'err\n', timedOut: false },
    ],
    [
      'what it made of its input',
      script('process.stdin.pipe(process.stdout)'),
      { input: 'hello' },
      { code: 0, stdout: 'hello' },
    ],
    [
      'no more output than allowed',
      script('console.log("x".repeat(1e6))'),
      { maxOutputBytes: 10 },
      { code: 0, stdout: 'x'.repeat(10) },
    ],
    [
      'that it took too long',
      script('setInterval(() => {}, 60_000)'),
      { timeoutMs: 200 },
      { code: undefined, timedOut: true },
    ],
    [
      'its end though a child of its own lives on',
      script(
        'require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 60000)"], { stdio: "inherit" }).unref(); process.exit(0)',
      ),
      {},
      { code: 0, timedOut: false },
    ],
  ])('reports %s', async (_, command, options, expected) => {
    expect(await run(command, options)).toMatchObject(expected);
  });

  test('is killed when its caller gives up', async () => {
    const caller = new AbortController();
    const command = script('setInterval(() => {}, 60_000)');
    const running = runCommand({ command, cwd, env, timeoutMs: 60_000, maxOutputBytes: 10 }, caller.signal);
    caller.abort('enough');
    await expect(running).rejects.toBe('enough');
  });
});

function firstOutput({ stdout }: { readonly stdout: NodeJS.ReadableStream }): Promise<void> {
  return new Promise((resolve) => stdout.once('data', () => resolve()));
}
