/** `forerun doctor` with the servers that come along, and with one that is not there. */
import { expect, test } from 'vitest';
import { runProgram } from '../support/built-program.ts';
import { runInProcess } from '../support/in-process-program.ts';

test('the servers that come along are proved to work', async () => {
  const run = await runProgram(['doctor', 'typescript:typescript-7', 'python:pyright', '--json']);
  const report: unknown = JSON.parse(run.stdout);
  const proved = { status: 'ok', finding: 'an error appears and goes as it should', way: 'buffers' };
  expect(report).toMatchObject({
    servers: [
      { ...proved, name: 'typescript-7', version: expect.stringMatching(/^7\./) },
      { ...proved, name: 'pyright' },
    ],
    summary: { ok: 2, failed: 0 },
  });
  expect(run.code).toBe(0);
});

test('a server that is not there is a failure, told last and by exit code', async () => {
  const run = await runInProcess(['doctor', 'klingon:klingon-server']);
  expect(run.stdout).toContain('no language server for "klingon" is installed');
  expect(run.stdout).toMatch(/Summary: 0 ok, 1 failed\n$/);
  expect(run.code).toBe(1);
});

test('a server that starts and dies is a failure, not a hang', async () => {
  const run = await runInProcess(['doctor', `python:${process.execPath},-e,process.exit(3)`]);
  expect(run.stdout).toMatch(/^failed .*\n(.*\n)*Summary: 0 ok, 1 failed\n$/);
  expect(run.code).toBe(1);
});
