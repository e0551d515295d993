import { expect, test } from 'vitest';
import type { FileDiagnostics } from '../servers/proof.ts';
import type { BegunDiagnostics } from '../servers/settling.ts';
import { parseWorkspacePath, type WorkspacePath } from '../workspace/workspace-path.ts';
import { BaselineDiagnostics } from './baseline-store.ts';

const path = parseWorkspacePath('src/a.ts') as WorkspacePath;
const answer: FileDiagnostics = { path, diagnostics: [], proof: { kind: 'pulled' } };
const options = { timeoutMs: 1000 };

/** A server that is asked while a lease lasts, and answers when it is told to. */
function slowServer(areKept: boolean) {
  const questions: (readonly WorkspacePath[])[] = [];
  let settle: { answer(): void; fail(cause: Error): void } | undefined;
  let leases = 0;
  const measure = async (
    use: (
      ask: (paths: readonly WorkspacePath[]) => Promise<BegunDiagnostics>,
      epoch: number,
    ) => Promise<void>,
  ): Promise<void> => {
    leases += 1;
    await use(async (paths) => {
      questions.push(paths);
      const answers = new Promise<readonly FileDiagnostics[]>((resolve, reject) => {
        settle = { answer: () => resolve(paths.map((each) => ({ ...answer, path: each }))), fail: reject };
      });
      return { answers: paths.length === 0 ? Promise.resolve([]) : answers, areKept };
    }, 1);
    leases -= 1;
  };
  return {
    measure,
    questions,
    leases: () => leases,
    settle: () => settle ?? Promise.reject(new Error('not asked')),
  };
}

const disk = { epoch: 1 };

test('a server that keeps what it showed is released before its answers arrive', async () => {
  const server = slowServer(true);
  const baseline = new BaselineDiagnostics(disk);
  const { answers } = await baseline.begin([path], options, server.measure);
  expect(server.leases()).toBe(0);
  (await server.settle()).answer();
  expect(await answers).toEqual([answer]);
});

test('any other server is held until they have arrived', async () => {
  const server = slowServer(false);
  const begun = new BaselineDiagnostics(disk).begin([path], options, server.measure);
  await expect.poll(() => server.questions.length).toBe(1);
  expect(server.leases()).toBe(1);
  (await server.settle()).answer();
  expect(await (await begun).answers).toEqual([answer]);
});

test('what is still arriving for one caller is not requested for another', async () => {
  const server = slowServer(true);
  const baseline = new BaselineDiagnostics(disk);
  const first = await baseline.begin([path], options, server.measure);
  const second = baseline.begin([path], options, server.measure);
  (await server.settle()).answer();
  expect(await (await second).answers).toEqual(await first.answers);
  expect(server.questions.filter((paths) => paths.length > 0)).toEqual([[path]]);
});

test('answers that fail are the failure of the caller that awaits them, and are requested again', async () => {
  const server = slowServer(true);
  const baseline = new BaselineDiagnostics(disk);
  const { answers } = await baseline.begin([path], options, server.measure);
  (await server.settle()).fail(new Error('the server ended'));
  await expect(answers).rejects.toThrow('the server ended');
  const again = await baseline.begin([path], options, server.measure);
  (await server.settle()).answer();
  expect(await again.answers).toEqual([answer]);
  expect(server.questions).toEqual([[path], [path]]);
});
