import { describe, expect, test } from 'vitest';
import { ScratchWorkspace } from '../../../test/support/scratch-workspace.ts';
import type { TestTask } from '../toolchain.ts';
import { eslintErrors, typescript } from './ecmascript.ts';

const tsc = `src/math.ts(2,14): error TS2322: Type 'number' is not assignable to type 'string'.
src/math.ts(4,17): error TS2339: Property 'b' does not exist on type '{ a: number; }'.
`;

test('errors of tsc are read with their code', () => {
  expect(typescript.parseBuild({ root: '/', stdout: tsc, stderr: '', report: undefined })).toEqual([
    {
      file: 'src/math.ts',
      line: 2,
      column: 14,
      message: "TS2322: Type 'number' is not assignable to type 'string'.",
    },
    {
      file: 'src/math.ts',
      line: 4,
      column: 17,
      message: "TS2339: Property 'b' does not exist on type '{ a: number; }'.",
    },
  ]);
});

test('errors of eslint belong to the file above them; warnings are left out', () => {
  const report = `
/tmp/cap/jest/a.js
  1:37  error    'unused' is assigned a value but never used  no-unused-vars
  2:1   warning  Unexpected console statement                 no-console

✖ 2 problems (1 error, 1 warning)
`;
  expect(eslintErrors(report)).toEqual([
    {
      file: '/tmp/cap/jest/a.js',
      line: 1,
      column: 37,
      message: "'unused' is assigned a value but never used  no-unused-vars",
    },
  ]);
});

describe('the runner', () => {
  const run = async (script: string, task: Partial<TestTask> = {}): Promise<string> => {
    await using scratch = await ScratchWorkspace.create({
      'package.json': JSON.stringify({ scripts: { test: script } }),
    });
    const { root } = scratch.workspace;
    const whole = { root, target: undefined, filter: undefined, files: [], reportFile: '/r', ...task };
    const [step] = (await typescript.testCommands?.(whole)) ?? [];
    return step?.alternatives.at(-1)?.join(' ') ?? '';
  };

  test.each([
    ['vitest', 'vitest run --reporter=default --reporter=json --outputFile.json=/r'],
    [
      'vitest run --project unit',
      'vitest run --project unit --reporter=default --reporter=json --outputFile.json=/r',
    ],
    ['jest --ci --watchAll', 'jest --ci --json --outputFile=/r'],
    ['node --test', 'node --test --test-reporter=tap'],
    ['mocha', 'npm test'],
    ['tsc && vitest run', 'npm test'],
    ['NODE_OPTIONS=--x jest', 'npm test'],
    ['', 'npm test'],
  ])('of the script "%s" is started as "%s"', async (script, expected) => {
    expect(await run(script)).toBe(expected);
  });

  test('is narrowed by names and files', async () => {
    const part = { filter: 'adds', files: ['src/a.test.ts'] };
    expect(await run('vitest', part)).toContain('--testNamePattern=adds src/a.test.ts');
    expect(await run('jest', part)).toContain('--testNamePattern=adds --runTestsByPath -- ./src/a.test.ts');
    expect(await run('jest', { target: { path: 'src', kind: 'directory' } })).toMatch(/ -- src$/);
    expect(await run('node --test', part)).toContain('--test-name-pattern=adds ./src/a.test.ts');
    await expect(run('mocha', part)).rejects.toMatchObject({ code: 'tools/not-narrowable' });
  });
});
