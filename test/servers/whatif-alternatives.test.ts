/** Several patches judged side by side, as `forerun whatif a.patch b.patch …` does. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Failure } from '../../src/base/failure.ts';
import { silentLog } from '../../src/base/log.ts';
import { plain } from '../../src/cli/print/palette.ts';
import { reportOf } from '../../src/cli/whatif/format/report-of.ts';
import { sarifFormat } from '../../src/cli/whatif/format/sarif-format.ts';
import { exitCodeOfRanking } from '../../src/cli/whatif/patch-exit-code.ts';
import { rankingJson, rankingReport } from '../../src/cli/whatif/ranking-report.ts';
import { checkAlternatives, type NamedPatch, type RankedPatch } from '../../src/host/check/alternatives.ts';
import { Forerun } from '../../src/host/forerun.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { calm } from '../support/world.ts';

let workspace: Fixture;
let forerun: Forerun;

beforeAll(async () => {
  workspace = await openFixture('ts-two-modules');
  await workspace.write('app.ts', `${await workspace.read('app.ts')}export const word: string = 1;\n`);
  forerun = new Forerun({ definitions: 'detect', log: silentLog, env: process.env });
});

afterAll(async () => {
  await forerun[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

/** A patch that replaces the first line of math.ts, or of app.ts where that is given. */
function replacing(before: string, after: string, file = 'math.ts'): string {
  return `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-${before}\n+${after}\n`;
}

const add = 'export function add(a: number, b: number): number {';

class Unreadable extends Failure {
  readonly code = 'test/unreadable';
  readonly remedy = 'Write it first.';
}

const patches: readonly NamedPatch[] = [
  { name: 'breaks-two', text: replacing(add, add.replace('a: number', 'a: string')) },
  { name: 'not-there', text: new Unreadable('cannot read not-there') },
  { name: 'unproved', text: '--- /dev/null\n+++ b/program.zig\n@@ -0,0 +1 @@\n+const answer = 42;\n' },
  { name: 'same', text: replacing(add, add.replace('b: number', 'b:  number')) },
  { name: 'same-again', text: replacing(add, add.replace('b: number', 'b:   number')) },
  { name: 'larger', text: replacing(add, `${add.replace('b: number', 'b:    number')}\n+  // both`) },
  { name: 'breaks-one', text: replacing(add, `// oh\n+${add.replace('a: number', 'c: number')}`) },
  { name: 'does-not-apply', text: replacing('nothing of the kind', 'else') },
].map(({ name, text }) => ({ name, text: typeof text === 'string' ? counted(text) : text }));

/** The count of new lines as the text has them. */
function counted(text: string): string {
  const added = text.split('\n').filter((line) => /^\+(?!\+\+)/.test(line)).length;
  return text.replace('-1 +1 @@', `-1 +1,${added} @@`);
}

function judge(
  these: readonly NamedPatch[],
  onProgress = (_: string) => {},
): Promise<readonly RankedPatch[]> {
  const request = { root: workspace.root, patches: these, scope: 'workspace', timeoutMs: 60_000 } as const;
  return checkAlternatives(forerun, { ...request, onProgress }, calm);
}

test('the best stands first, each judged as if it were the only one, and a failing one takes nothing from the others', async () => {
  const said: string[] = [];
  const ranked = await judge(patches, (message) => said.push(message));
  expect(ranked.map(({ rank, name, outcome }) => [rank, name, kindOf(outcome)])).toEqual([
    [1, 'same', 'clean'],
    [1, 'same-again', 'clean'],
    [3, 'larger', 'clean'],
    [4, 'unproved', 'unknown'],
    [5, 'breaks-one', 'broken'],
    [6, 'breaks-two', 'broken'],
    [7, 'not-there', 'failed'],
    [7, 'does-not-apply', 'failed'],
  ]);
  expect(said.at(-1)).toBe('8 of 8 judged');
});

test('of two that break nothing the one that mends more is better, whatever its size', async () => {
  const app = await workspace.read('app.ts');
  const lines = app.trimEnd().split('\n');
  const mending = [
    '--- a/app.ts',
    '+++ b/app.ts',
    `@@ -${lines.length} +${lines.length},2 @@`,
    '-export const word: string = 1;',
    '+// a word',
    "+export const word: string = 'one';",
    '',
  ].join('\n');
  const ranked = await judge([
    ...patches.filter(({ name }) => name === 'same'),
    { name: 'mends', text: mending },
  ]);
  expect(ranked.map(({ name }) => name)).toEqual(['mends', 'same']);
});

test('a person reads a table, and under it what stands against each', async () => {
  const names = ['breaks-two', 'not-there', 'unproved', 'same'];
  const ranked = await judge(patches.filter(({ name }) => names.includes(name)));
  expect(rankingReport(ranked, plain)).toMatchInlineSnapshot(`
    "rank  patch       verdict  introduced  resolved  lines
    1     same        clean    0 errors    0         +1 -1
    2     unproved    unknown  0 errors    0         +1 -0
    3     breaks-two  broken   2 errors    0         +1 -1
    4     not-there   failed

    unproved
      not judged: program.zig: no language server for "zig" is installed

    breaks-two
      app.ts:3:34 error 2345: Argument of type 'number' is not assignable to parameter of type 'string'.
      math.ts:2:3 error 2322: Type 'string' is not assignable to type 'number'.

    not-there
      cannot read not-there [test/unreadable]
      Write it first.
    "
  `);
});

test('programs read the whole check of each, in order', async () => {
  const ranked = await judge(
    patches.filter(({ name }) => ['breaks-two', 'not-there', 'same'].includes(name)),
  );
  expect(rankingJson(ranked)).toMatchObject({
    ranked: [
      {
        rank: 1,
        patch: 'same',
        verdict: 'clean',
        introduced_errors: 0,
        resolved: 0,
        changed_files: ['math.ts'],
      },
      {
        rank: 2,
        patch: 'breaks-two',
        verdict: 'broken',
        introduced_errors: 2,
        lines_added: 1,
        lines_removed: 1,
      },
      { rank: 3, patch: 'not-there', verdict: 'unknown', failure: { code: 'test/unreadable' } },
    ],
  });
  const report = await reportOf({ kind: 'ranking', ranked }, process.env);
  expect(JSON.parse(await sarifFormat.render(report, plain))).toMatchObject({
    version: '2.1.0',
    runs: [
      { automationDetails: { id: 'same/' }, results: [] },
      { automationDetails: { id: 'breaks-two/' }, results: [{}, {}] },
      { automationDetails: { id: 'not-there/' }, results: [{ kind: 'open' }] },
    ],
  });
});

test.each([
  [['same', 'larger'], 0, 0],
  [['same', 'breaks-one'], 0, 1],
  [['same', 'unproved'], 0, 2],
  [['same', 'unproved', 'breaks-one'], 0, 1],
  [['unproved', 'breaks-one'], 2, 1],
  [['not-there', 'breaks-one'], 1, 1],
  [['not-there'], 2, 2],
])('%j exit with %i for the best and %i for the worst', async (names, best, worst) => {
  const ranked = await judge(patches.filter(({ name }) => names.includes(name)));
  expect([exitCodeOfRanking(ranked, 'best'), exitCodeOfRanking(ranked, 'worst')]).toEqual([best, worst]);
});

function kindOf(outcome: RankedPatch['outcome']): string {
  return outcome.kind === 'failed' ? 'failed' : outcome.check.verdict.kind;
}
