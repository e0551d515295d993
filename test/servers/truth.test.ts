/**
 * Verdicts against the compilers: for every mutation of a real workspace, what a session says came and went
 * turns the compiler's problems before it into the compiler's problems after it, none missed and none invented.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Evaluation, Finding } from '../../src/evaluation/evaluation.ts';
import { moveFile } from '../../src/overlay/overlay.ts';
import type { Scope } from '../../src/servers/projection.ts';
import { carryBetween } from '../support/truth/carry.ts';
import { judgePyrightTrees, judgeTypeScriptTrees } from '../support/truth/judge.ts';
import { type Mutation, mutate } from '../support/truth/mutation.ts';
import { pythonMutations, typescriptMutations } from '../support/truth/mutations.ts';
import { compareProblems, normaliseMessage, type Problem } from '../support/truth/problem.ts';
import { pythonFiles } from '../support/truth/python-workspace.ts';
import { typescriptFiles } from '../support/truth/typescript-workspace.ts';
import type { WorkspaceFiles } from '../support/truth/workspace-files.ts';
import { calm, World } from '../support/world.ts';

const seed = 20_260_715;

const trials = [
  {
    language: 'typescript',
    files: typescriptFiles('flawed'),
    mutations: typescriptMutations(seed),
    judge: judgeTypeScriptTrees,
  },
  {
    language: 'python',
    files: pythonFiles('flawed'),
    mutations: pythonMutations(seed),
    judge: judgePyrightTrees,
  },
] as const;

describe.each(trials)('$language', ({ language, files, mutations, judge }) => {
  let world: World;
  let before: readonly Problem[] = [];
  const after = new Map<Mutation, readonly Problem[]>();

  beforeAll(async () => {
    world = await World.open(files);
    const trees = [files, ...mutations.map((mutation) => mutate(files, mutation))];
    const [untouched = [], ...mutated] = await judge(trees, calm);
    before = untouched;
    for (const [place, mutation] of mutations.entries()) after.set(mutation, mutated[place] ?? []);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  test('the trial is worth its name', () => {
    expect(mutations.length).toBeGreaterThanOrEqual(60);
    expect(before).toHaveLength(3);
    const altered = mutations.filter((mutation) => after.get(mutation)?.length !== before.length);
    expect(altered.length).toBeGreaterThan(30);
  });

  test.each(mutations.map((mutation) => [mutation.kind, mutation.name, mutation] as const))(
    '%s: %s',
    async (_, __, mutation) => {
      const expected = after.get(mutation) ?? [];
      const touched = new Set(mutation.apply.flatMap(({ path, renamedFrom }) => [path, renamedFrom]));
      for (const scope of ['file', 'workspace'] as const) {
        const evaluation = await evaluate(world, language, mutation, scope);
        expect(evaluation).toMatchObject({ confidence: 'high', baselineConfidence: 'high', timedOut: false });
        const derived = derive(before, evaluation, { files, mutation, root: world.root });
        const isInScope = ({ path }: Problem) => scope === 'workspace' || touched.has(path);
        expect(derived.filter(isInScope)).toEqual(expected.filter(isInScope));
      }
    },
  );
});

async function evaluate(
  world: World,
  language: string,
  mutation: Mutation,
  scope: Scope,
): Promise<Evaluation> {
  const session = await world.session(language);
  await session.transform(async (overlay) => {
    let mutated = overlay;
    for (const { path, after, renamedFrom } of mutation.apply) {
      const at = world.workspace.path(path);
      await overlay.read(at);
      if (renamedFrom !== undefined) mutated = await moveFile(mutated, world.workspace.path(renamedFrom), at);
      mutated = after === undefined ? mutated.remove(at) : mutated.write(at, { kind: 'text', text: after });
    }
    return mutated;
  }, calm);
  const evaluation = await world.evaluate(session, scope);
  await world.sessions.destroy(session.id);
  return evaluation;
}

/** The problems there must be after the mutation if the evaluation is right. */
function derive(
  before: readonly Problem[],
  { introduced, resolved }: Evaluation,
  { files, mutation, root }: { files: WorkspaceFiles; mutation: Mutation; root: string },
): readonly Problem[] {
  const gone = new Map<string, number>();
  for (const finding of resolved) {
    const key = JSON.stringify(problemOf(finding, root));
    gone.set(key, (gone.get(key) ?? 0) + 1);
  }
  const kept = before.filter((problem) => {
    const key = JSON.stringify(comparable(problem));
    const count = gone.get(key) ?? 0;
    if (count > 0) gone.set(key, count - 1);
    return count === 0;
  });
  expect(
    [...gone].filter(([, count]) => count > 0),
    'resolved, but never there',
  ).toEqual([]);
  const renames = new Map(
    mutation.apply.flatMap(({ path, renamedFrom }) => (renamedFrom ? [[renamedFrom, path]] : [])),
  );
  const underNewNames = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [renames.get(path) ?? path, text]),
  );
  const carry = carryBetween(underNewNames, mutate(files, mutation));
  const carried = kept.map((problem) =>
    carry({ ...problem, path: renames.get(problem.path) ?? problem.path }),
  );
  return [...carried, ...introduced.map((finding) => problemOf(finding, root))].sort(compareProblems);
}

function problemOf({ path, diagnostic }: Finding, root: string): Problem {
  const { start } = diagnostic.range;
  return comparable({
    path,
    line: start.line + 1,
    column: start.character + 1,
    severity: diagnostic.severity === 'error' ? 'error' : 'warning',
    code: diagnostic.code === undefined ? '' : String(diagnostic.code),
    message: normaliseMessage(diagnostic.message, root),
  });
}

/** One order of members, so that two equal problems are spelled alike. */
function comparable({ path, line, column, severity, code, message }: Problem): Problem {
  return { path, line, column, severity, code, message };
}
