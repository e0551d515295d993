/** Verdicts against the compiler in monorepos whose files belong to several projects, to one of an unusual include, or to none. */
import { expect, test } from 'vitest';
import { MonorepoDirectory } from '../support/monorepo/generated-monorepo.ts';
import { tryMonorepo } from '../support/monorepo/monorepo-trial.ts';
import { outputNamed, overlapping, plain, uncovered } from '../support/monorepo/overlapping-shapes.ts';
import { calm } from '../support/world.ts';
import { WarmForerun } from '../truth-repositories/forerun-answer.ts';

for (const monorepo of [outputNamed, overlapping, plain, uncovered]) tryMonorepo(monorepo);

test('an edit to a file that no project checks is neither clean nor broken, and says so', async () => {
  await using directory = await MonorepoDirectory.write(uncovered);
  await using forerun = new WarmForerun({ root: directory.root, timeoutMs: 100_000, trust: 'untrusted' });
  for (const after of ['export const released: string = 1;\n', "export const released: string = 'x';\n"]) {
    const files = [{ path: 'scripts/release.ts', after }];
    const answer = await forerun.ask({ kind: 'body', sentence: 'rewrites a script', files }, calm);
    expect(answer).toMatchObject({ verdict: 'unknown', introduced: [], resolved: [] });
    expect(answer.doubts.join(' ')).toContain('No project checks scripts/release.ts');
  }
});
