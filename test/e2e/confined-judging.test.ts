/** Judging a patch runs its programs confined, or not at all; the verdict is the compiler's all the same. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../support/built-program.ts';
import {
  crateFiles,
  type HostilePatch,
  hostilePatches,
  patchText,
  Surroundings,
  writeCrate,
} from '../support/hostile-crate.ts';
import { isOnPath } from '../support/on-path.ts';

const hasRust = isOnPath('rust-analyzer') && isOnPath('cargo');
const exitCodes = { clean: 0, broken: 1, unknown: 2 };

let outside: Surroundings;
let root: string;
beforeAll(async () => {
  outside = await Surroundings.open();
  root = await realpath(await mkdtemp('/var/tmp/forerun-crate-'));
  await writeCrate(root);
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
  await outside[Symbol.asyncDispose]();
});

async function whatif(
  { files }: HostilePatch,
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; report: Record<string, unknown>; evaluation: Record<string, unknown> }> {
  const run = await runProgram(['whatif', '-', '--root', root, '--json', '--timeout', '120000', ...words], {
    input: patchText(crateFiles, files),
    env: { ...outside.env, ...env },
  });
  expect(run.stderr).toBe('');
  const report = JSON.parse(run.stdout);
  return { code: run.code, report, evaluation: report.evaluations[0] ?? {} };
}

const names = [
  'a build script',
  'a build script beside an error',
  'a procedural macro',
  'a wrapper of the compiler that hides an error',
  'a compiler of its own',
  'a linker',
  'a toolchain of its own',
];

function patchNamed(name: string): HostilePatch {
  const patch = hostilePatches(outside).find((each) => each.name === name);
  if (!patch) throw new Error(`there is no patch called ${name}`);
  return patch;
}

describe.skipIf(!hasRust)(`whatif${hasRust ? '' : ' (no rust-analyzer or no cargo)'}`, () => {
  test('the table above names every patch', () => {
    expect(names).toEqual(hostilePatches(outside).map(({ name }) => name));
  });

  test.each(names)('%s: nothing gets out, and the verdict is the compiler’s', async (name) => {
    const patch = patchNamed(name);
    const { code, report, evaluation } = await whatif(patch);
    expect(report.why ?? []).toEqual([]);
    expect(report).toMatchObject({ verdict: patch.verdict });
    expect(evaluation).toMatchObject({ confinement: { kind: 'confined' }, way: 'mounted', doubts: [] });
    expect(code).toBe(exitCodes[patch.verdict]);
    expect(outside.reached).toEqual([]);
  });
});
