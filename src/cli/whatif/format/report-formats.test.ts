/** Every format, over reports that were put together by hand: broken, unknown, clean, and with hostile texts. */
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { MemorySource, workspacePath } from '../../../../test/support/memory-source.ts';
import { violations } from '../../../../test/support/report/report-schema.ts';
import { type Evaluation, emptyEvaluation, type Finding } from '../../../evaluation/evaluation.ts';
import type { PatchCheck } from '../../../host/check/patch-check.ts';
import type { MergeEvaluation } from '../../../merge/merge-evaluation.ts';
import { Overlay } from '../../../overlay/overlay.ts';
import { Workspace } from '../../../workspace/workspace.ts';
import { plain } from '../../print/palette.ts';
import { annotationsOf, type Report } from './report.ts';
import { reportFormats } from './report-formats.ts';
import { reportOf } from './report-of.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.open(join(import.meta.dirname, '../../../..'));
});

const source = new MemorySource({
  'app.ts': 'import { add } from "./math";\n\nexport const é: string = "ü" + add(1, 2);\n',
  'math.ts': 'export const add = (a: number) => a;\n',
});

function finding(path: string, message: string, fields: Partial<Finding['diagnostic']> = {}): Finding {
  const range = { start: { line: 2, character: 31 }, end: { line: 2, character: 34 } };
  return {
    path: workspacePath(path),
    diagnostic: { range, severity: 'error', message, source: 'ts', code: 2345, ...fields },
  };
}

function evaluation(fields: Partial<Evaluation>): Evaluation {
  return { ...emptyEvaluation('workspace', 'typescript-go'), ...fields };
}

function check(fields: Partial<PatchCheck>): PatchCheck {
  return {
    workspace,
    overlay: Overlay.on(source),
    judged: 'patch',
    changed: [workspacePath('math.ts')],
    verdict: { kind: 'clean' },
    evaluations: [],
    unjudged: [],
    withheld: [],
    ...fields,
  };
}

function changed(fields: Partial<PatchCheck>): Promise<Report> {
  return reportOf({ kind: 'change', check: check(fields) }, {});
}

const errorIn = (message: string): Partial<PatchCheck> => ({
  verdict: { kind: 'broken', errors: 1, in: [workspacePath('app.ts')] },
  evaluations: [evaluation({ introduced: [finding('app.ts', message)] })],
});

const broken: Partial<PatchCheck> = {
  verdict: { kind: 'broken', errors: 2, in: [workspacePath('app.ts')] },
  evaluations: [
    evaluation({
      introduced: [
        finding('app.ts', "Argument of type 'number' is not assignable.\n  Really."),
        finding('app.ts', 'unused', { severity: 'hint', code: 6133 }),
      ],
      resolved: [finding('math.ts', 'was wrong')],
    }),
  ],
  unjudged: [{ paths: [workspacePath('b.zig')], reason: 'no server', remedy: 'Install one.' }],
};

const unknown: Partial<PatchCheck> = {
  verdict: { kind: 'unknown', why: ['The server was silent.'] },
  evaluations: [evaluation({ doubts: ['The server was silent.'] })],
};

const merge: MergeEvaluation = {
  verdict: 'broken',
  sides: [
    { name: 'rename', alone: { kind: 'judged', check: check({}) } },
    { name: 'caller', alone: { kind: 'judged', check: check(unknown) } },
    { name: 'stale', alone: { kind: 'conflict', paths: ['math.ts'] } },
  ],
  pairs: [
    {
      one: 0,
      other: 1,
      outcome: {
        kind: 'semantic',
        conflicts: [
          {
            finding: finding('app.ts', "Cannot find name 'add'"),
            one: { path: workspacePath('math.ts'), line: 0, text: 'export const sum' },
            other: undefined,
          },
        ],
      },
    },
    { one: 0, other: 2, outcome: { kind: 'textual', paths: ['math.ts'] } },
    { one: 1, other: 2, outcome: { kind: 'unknown', why: ['no time'] } },
  ],
  train: { order: [0], leftOut: [{ side: 1, why: 'collides' }] },
};

const merged = (): Promise<Report> =>
  reportOf({ kind: 'merge', check: { ...merge, workspace, onto: 'main' } }, {});

async function text(format: string, report: Report): Promise<string> {
  const found = reportFormats.find(({ name }) => name === format);
  if (!found) throw new Error(`no format ${format}`);
  return found.render(report, plain);
}

const withSchema = ['sarif', 'gitlab', 'rdjson', 'junit', 'checkstyle'];

describe.each(withSchema)('%s', (format) => {
  test.each<[string, () => Promise<Report>]>([
    ['clean', () => changed({})],
    ['broken', () => changed(broken)],
    ['unknown', () => changed(unknown)],
    ['a merge', merged],
  ])('%s: is valid against the schema', async (_, report) => {
    expect(await violations(format, await text(format, await report()))).toEqual([]);
  });
});

test.each(['sarif', 'gitlab', 'rdjson'])('%s is valid whatever the texts hold', async (format) => {
  const hostile = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(hostile, async (message) => {
      expect(await violations(format, await text(format, await changed(errorIn(message))))).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test.each(['junit', 'checkstyle'])('%s is valid whatever the texts hold', async (format) => {
  const message = 'a\0b\u001b[31m]]> & <x y="z\'"> \ud800 \ufffe\r\n\t`|%0A::error::\u{1f600}';
  const written = await text(format, await changed(errorIn(message)));
  expect(await violations(format, written)).toEqual([]);
  expect(written).toContain('&lt;x y=&quot;z');
});

test('an error is in every format, and what is not proved is in every format', async () => {
  for (const { name } of reportFormats) {
    expect(await text(name, await changed(broken)), name).toContain('is not assignable');
    expect(await text(name, await changed(broken)), name).toContain('b.zig');
    expect(await text(name, await changed(unknown)), name).toContain('The server was silent.');
  }
});

test('SARIF has the rules, the fingerprints, and what is not proved as an open result', async () => {
  const { runs } = JSON.parse(await text('sarif', await changed(broken)));
  const [run] = runs;
  expect(run.tool.driver.rules).toMatchObject([
    { id: 'forerun/unknown', shortDescription: { text: 'The absence of errors was not proved.' } },
    {
      id: 'ts/2345',
      defaultConfiguration: { level: 'error' },
      shortDescription: { text: 'Diagnostic 2345 of ts' },
    },
    { id: 'ts/6133', defaultConfiguration: { level: 'note' } },
  ]);
  expect(run.results).toMatchObject([
    { ruleId: 'ts/2345', ruleIndex: 1, level: 'error' },
    { ruleId: 'ts/6133', ruleIndex: 2, level: 'note' },
    {
      ruleId: 'forerun/unknown',
      kind: 'open',
      level: 'none',
      message: { text: 'Not judged: no server. Install one.' },
    },
  ]);
  for (const result of run.results) {
    expect(result.partialFingerprints['forerunAnnotation/v1']).toMatch(/^[0-9a-f]{64}$/);
  }
});

describe('fingerprints', () => {
  const prints = async (...findings: readonly Finding[]): Promise<readonly string[]> => {
    const report = await changed({ evaluations: [evaluation({ introduced: findings })] });
    return annotationsOf(report).map(({ fingerprint }) => fingerprint);
  };
  const moved = { range: { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } } };

  test('stay when the error moves to another column of its line', async () => {
    const column = { range: { start: { line: 2, character: 1 }, end: { line: 2, character: 2 } } };
    expect(await prints(finding('app.ts', 'm'))).toEqual(await prints(finding('app.ts', 'm', column)));
  });

  test('differ by file, rule, message and line of code, and between equal errors', async () => {
    const all = await prints(
      finding('app.ts', 'm'),
      finding('app.ts', 'm'),
      finding('math.ts', 'm'),
      finding('app.ts', 'other'),
      finding('app.ts', 'm', { code: 1 }),
      finding('app.ts', 'm', moved),
    );
    expect(new Set(all).size).toBe(all.length);
  });
});

test('GitHub annotations hold no command that the workspace wrote', async () => {
  const attack = 'bad\r\n::set-output name=x::y %0A::error::z';
  const lines = (await text('github', await changed(errorIn(attack)))).trimEnd().split('\n');
  expect(lines).toEqual([
    '::error file=app.ts,line=3,endLine=3,col=32,endColumn=35,title=ts/2345::bad%0D%0A::set-output name=x::y %250A::error::z',
    'forerun: broken: this patch introduces 1 error in 1 file',
  ]);
  const named = evaluation({ introduced: [finding('a,b:c%.ts', 'm')] });
  const report = await changed({ ...errorIn('m'), evaluations: [named] });
  expect(await text('github', report)).toMatch(/^::error file=a%2Cb%3Ac%25\.ts,line=3,/);
});

test('paths count from the top of the repository, wherever the workspace begins', async () => {
  const below = check({ ...errorIn('m'), workspace: await Workspace.open(import.meta.dirname) });
  const report = await reportOf({ kind: 'change', check: below }, {});
  expect(await text('github', report)).toMatch(/^::error file=src\/cli\/whatif\/format\/app\.ts,/);
});

test('columns of reviewdog count bytes', async () => {
  const { diagnostics } = JSON.parse(await text('rdjson', await changed(errorIn('m'))));
  // é and ü are two bytes each.
  expect(diagnostics[0].location.range.start).toEqual({ line: 3, column: 34 });
});

test('the summary of a pull request keeps texts of the workspace in code', async () => {
  expect(
    await text('markdown', await changed(errorIn('a | b `c` @everyone #1 <img>'))),
  ).toMatchInlineSnapshot(`
    "### Forerun: ❌ broken

    this patch introduces 1 error in 1 file

    | | place | message | rule |
    | --- | --- | --- | --- |
    | error | \`app.ts:3\` | \`\` a \\| b \`c\` @everyone #1 <img> \`\` | \`ts/2345\` |
    "
  `);
  expect(await text('markdown', await changed(broken))).toMatchInlineSnapshot(`
    "### Forerun: ❌ broken

    this patch introduces 2 errors in 1 file

    | | place | message | rule |
    | --- | --- | --- | --- |
    | error | \`app.ts:3\` | \`Argument of type 'number' is not assignable. Really.\` | \`ts/2345\` |
    | note | \`app.ts:3\` | \`unused\` | \`ts/6133\` |

    <details>
    <summary>Not proved: 1 statement</summary>

    - \`b.zig\`: \`Not judged: no server. Install one.\`

    </details>

    <details>
    <summary>Resolved: 1 statement</summary>

    - \`math.ts:3\`: \`was wrong\`

    </details>
    "
  `);
  expect(await text('markdown', await merged())).toMatchInlineSnapshot(`
    "### Forerun: ❌ broken

    \`longest clean train: 1 of 3 onto main\`

    | judged | verdict |
    | --- | --- |
    | \`rename alone\` | ✅ clean |
    | \`caller alone\` | ❔ unknown |
    | \`stale alone\` | ❌ broken |
    | \`rename and caller\` | ❌ broken |
    | \`rename and stale\` | ❌ broken |
    | \`caller and stale\` | ❔ unknown |

    | | place | message | rule |
    | --- | --- | --- | --- |
    | error | \`math.ts:1\` | \`stale and main cannot be merged: both change the same text.\` | \`forerun/textual-conflict\` |
    | error | \`app.ts:3\` | \`rename and caller together: Cannot find name 'add' (ts/2345) rename changed math.ts:1: export const sum\` | \`forerun/semantic-conflict\` |
    | error | \`math.ts:1\` | \`rename and stale cannot be merged: both change the same text.\` | \`forerun/textual-conflict\` |

    <details>
    <summary>Not proved: 2 statements</summary>

    - \`math.ts\`: \`caller: Not proved: The server was silent.\`
    - \`math.ts\`: \`caller and stale: no time\`

    </details>
    "
  `);
});

test('a merge is a test case for each branch and each pair', async () => {
  expect(await text('junit', await merged())).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="forerun" tests="6" failures="3" errors="0" skipped="2">
      <testsuite name="merge onto main" tests="6" failures="3" errors="0" skipped="2" time="0">
        <testcase name="rename alone" classname="merge onto main" time="0"/>
        <testcase name="caller alone" classname="merge onto main" time="0">
          <skipped message="math.ts:1:1 unknown forerun/unknown: caller: Not proved: The server was silent."/>
        </testcase>
        <testcase name="stale alone" classname="merge onto main" time="0">
          <failure message="math.ts:1:1 error forerun/textual-conflict: stale and main cannot be merged: both change the same text." type="broken">math.ts:1:1 error forerun/textual-conflict: stale and main cannot be merged: both change the same text.</failure>
        </testcase>
        <testcase name="rename and caller" classname="merge onto main" time="0">
          <failure message="app.ts:3:32 error forerun/semantic-conflict: rename and caller together: Cannot find name 'add' (ts/2345)&#10;rename changed math.ts:1: export const sum" type="broken">app.ts:3:32 error forerun/semantic-conflict: rename and caller together: Cannot find name 'add' (ts/2345)
    rename changed math.ts:1: export const sum</failure>
        </testcase>
        <testcase name="rename and stale" classname="merge onto main" time="0">
          <failure message="math.ts:1:1 error forerun/textual-conflict: rename and stale cannot be merged: both change the same text." type="broken">math.ts:1:1 error forerun/textual-conflict: rename and stale cannot be merged: both change the same text.</failure>
        </testcase>
        <testcase name="caller and stale" classname="merge onto main" time="0">
          <skipped message="math.ts:1:1 unknown forerun/unknown: caller and stale: no time"/>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `);
});
