/** `forerun whatif` as a person or a CI job runs it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProgramRun, runProgram, withoutProgress } from '../support/built-program.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { runInProcess } from '../support/in-process-program.ts';
import { violations } from '../support/report/report-schema.ts';

let workspace: Fixture;
beforeAll(async () => {
  workspace = await openFixture('two-languages');
});
afterAll(() => workspace[Symbol.asyncDispose]());

function whatif(patch: string, ...words: string[]): Promise<ProgramRun> {
  return runInProcess(['whatif', '-', '--root', workspace.root, ...words], { input: patch });
}

/** The output without what differs from run to run. */
function steady(output: string): string {
  return output.replaceAll(/ in \d+ ms/g, ' in # ms').replaceAll(/typescript-go [\d.]+/g, 'typescript-go #');
}

const patches = {
  breaking: `--- a/math.ts
+++ b/math.ts
@@ -1,3 +1,3 @@
-export function add(a: number, b: number): number {
+export function add(a: string, b: number): number {
   return a + b;
 }
`,
  breakingPython: `--- a/shapes.py
+++ b/shapes.py
@@ -1,2 +1,2 @@
-def area(width: int, height: int) -> int:
+def area(width: int, height: int) -> str:
     return width * height
`,
  clean: `--- a/math.ts
+++ b/math.ts
@@ -1,3 +1,3 @@
 export function add(a: number, b: number): number {
-  return a + b;
+  return b + a;
 }
`,
  newFileInUse: `diff --git a/third.ts b/third.ts
new file mode 100644
--- /dev/null
+++ b/third.ts
@@ -0,0 +1 @@
+export const three = 3;
diff --git a/app.ts b/app.ts
--- a/app.ts
+++ b/app.ts
@@ -1,4 +1,5 @@
 import { add, half } from './math.ts';
+import { three as other } from './third.ts';

-export const three: number = add(1, 2);
+export const three: number = add(other, 2);
 export const one: number = half(2);
`,
  prose: `--- /dev/null
+++ b/notes.md
@@ -0,0 +1 @@
+Nothing a checker reads.
`,
  unserved: `--- /dev/null
+++ b/program.zig
@@ -0,0 +1 @@
+const answer = 42;
`,
  cutJson: `--- /dev/null
+++ b/data.json
@@ -0,0 +1 @@
+{"name":
\\ No newline at end of file
`,
  unreadData: `--- /dev/null
+++ b/settings.toml
@@ -0,0 +1 @@
+answer = 42
`,
  vendored: `--- /dev/null
+++ b/vendor/modules.txt
@@ -0,0 +1 @@
+# example.com/none v1.0.0
`,
  rejected: `--- a/math.ts
+++ b/math.ts
@@ -1 +1 @@
-this line is not there
+nor this
`,
};

describe('the exit code is the verdict', () => {
  test.each<[keyof typeof patches, number, string]>([
    ['clean', 0, 'clean: this patch introduces no errors'],
    ['newFileInUse', 0, 'clean: this patch introduces no errors'],
    ['prose', 0, 'clean: this patch introduces no errors'],
    ['breaking', 1, 'broken: this patch introduces 2 errors in 2 files'],
    ['breakingPython', 1, 'main.py:3:13 error'],
    // A JSON server says it in its own words where one is installed.
    ['cutJson', 1, 'introduced data.json:1:'],
    [
      'unreadData',
      2,
      'not judged settings.toml\n  no server here reads such files, so nothing was evaluated',
    ],
    ['vendored', 2, 'not judged vendor/modules.txt'],
    ['unserved', 2, 'not judged program.zig\n  no language server for "zig" is installed\n  Install one'],
  ])('%s: %d', async (name, code, sentence) => {
    const run = await whatif(patches[name]);
    expect(run.stdout).toContain(sentence);
    expect(withoutProgress(run)).toMatchObject({ code, stderr: '' });
  });

  test.each<[string, string, string]>([
    ['a patch that does not apply', patches.rejected, 'the patch does not apply:\n  math.ts: '],
    ['text that is no patch', 'hello\n', '[text/malformed-patch]'],
  ])('%s: 2, with the reason', async (_case, patch, sentence) => {
    const run = await whatif(patch);
    expect(run.stderr).toContain(sentence);
    expect(run).toMatchObject({ code: 2, stdout: '' });
  });
});

test('a person sees each place with the text around it', async () => {
  const { stdout } = await whatif(patches.breaking + patches.breakingPython, '--color', 'never');
  expect(steady(stdout)).toMatchInlineSnapshot(`
    "broken: this patch introduces 4 errors in 4 files (2 files changed; typescript-go #: 2 files in # ms; pyright: 2 files in # ms)

    introduced app.ts:3:34 error 2345: Argument of type 'number' is not assignable to parameter of type 'string'.
      1 | import { add, half } from './math.ts';
      2 |
    > 3 | export const three: number = add(1, 2);
        |                                  ^
      4 | export const one: number = half(2);

    introduced math.ts:2:3 error 2322: Type 'string' is not assignable to type 'number'.
      1 | export function add(a: string, b: number): number {
    > 2 |   return a + b;
        |   ^^^^^^
      3 | }
      4 |

    introduced main.py:3:13 error reportAssignmentType: Type "str" is not assignable to declared type "int"
        "str" is not assignable to "int"
      1 | from shapes import area
      2 |
    > 3 | size: int = area(2, 3)
        |             ^^^^^^^^^^

    introduced shapes.py:2:12 error reportReturnType: Type "int" is not assignable to return type "str"
        "int" is not assignable to "str"
      1 | def area(width: int, height: int) -> str:
    > 2 |     return width * height
        |            ^^^^^^^^^^^^^^
    "
  `);
});

test('one patch over two languages is one verdict, for programs too', async () => {
  const run = await whatif(patches.clean + patches.breakingPython, '--json');
  expect(JSON.parse(run.stdout)).toMatchObject({
    verdict: 'broken',
    broken_files: ['main.py', 'shapes.py'],
    changed_files: ['math.ts', 'shapes.py'],
    evaluations: [{ verdict: 'clean' }, { verdict: 'broken' }],
    unjudged: [],
  });
});

test('SARIF holds one result for every diagnostic that was introduced', async () => {
  const run = await whatif(patches.breaking, '--sarif');
  const place = (uri: string) => [{ physicalLocation: { artifactLocation: { uri } } }];
  expect(JSON.parse(run.stdout)).toMatchObject({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'forerun' } },
        results: [
          { ruleId: 'ts/2345', level: 'error', locations: place('app.ts') },
          { ruleId: 'ts/2322', level: 'error', locations: place('math.ts') },
        ],
      },
    ],
  });
});

test('several formats at once: one on standard output, the others in files', async () => {
  const files = ['sarif', 'junit', 'gitlab', 'checkstyle', 'rdjson'];
  const words = files.flatMap((format) => ['--format', `${format}=${workspace.file(`reports/${format}`)}`]);
  const run = await whatif(patches.breaking + patches.unserved, '--format', 'github', ...words);
  expect(run.code).toBe(1);
  expect(run.stdout.split('\n').map((line) => line.replace(/title=.*/, ''))).toEqual([
    '::error file=app.ts,line=3,endLine=3,col=34,endColumn=35,',
    '::error file=math.ts,line=2,endLine=2,col=3,endColumn=9,',
    '::warning file=program.zig,line=1,endLine=1,col=1,endColumn=1,',
    'forerun: broken: this patch introduces 2 errors in 2 files',
    '',
  ]);
  for (const format of files) {
    const report = await workspace.read(`reports/${format}`);
    expect(await violations(format, report), format).toEqual([]);
    for (const path of ['app.ts', 'math.ts', 'program.zig']) expect(report, format).toContain(path);
  }
});

test.each([
  ['an unknown format', ['--format', 'yaml']],
  ['a file without a name', ['--format', 'sarif=']],
  ['two formats on standard output', ['--format', 'sarif', '--json']],
])('%s is wrong usage, before anything is judged', async (_, words) => {
  expect(await whatif(patches.breaking, ...words)).toMatchObject({ code: 64, stdout: '' });
});

test('a report that cannot be written fails the command, after the others were written', async () => {
  const run = await whatif(
    patches.clean,
    '--format',
    `json=${workspace.file('math.ts')}/report.json`,
    '--format',
    'human',
  );
  expect(run.stdout).toContain('clean: this patch introduces no errors');
  expect(run.stderr).toContain('cannot write the report to ');
  expect(run.code).toBe(2);
});

test('colour is for those who want it', async () => {
  const colourStart = '\u001b[';
  expect((await whatif(patches.prose)).stdout).not.toContain(colourStart);
  expect((await whatif(patches.prose, '--color', 'always')).stdout).toContain(colourStart);
});

test('nothing of it reaches the disk', async () => {
  const before = await workspace.read('math.ts');
  await whatif(patches.breaking);
  expect(await workspace.read('math.ts')).toBe(before);
});

test('several patches are judged apart and listed best first; --rank exits by the best of them', async () => {
  await Promise.all([
    workspace.write('good.patch', patches.clean),
    workspace.write('bad.patch', patches.breaking),
  ]);
  const words = ['whatif', 'bad.patch', 'good.patch', '--root', workspace.root];
  const worst = await runProgram(words, { cwd: workspace.root });
  expect(worst.stdout.split('\n').slice(0, 3)).toEqual([
    'rank  patch       verdict  introduced  resolved  lines',
    '1     good.patch  clean    0 errors    0         +1 -1',
    '2     bad.patch   broken   2 errors    0         +1 -1',
  ]);
  expect(withoutProgress(worst)).toMatchObject({ code: 1, stderr: '' });
  const best = await runInProcess([...words, '--rank', '--json'], { cwd: workspace.root });
  expect(withoutProgress(best)).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(best.stdout)).toMatchObject({
    ranked: [{ patch: 'good.patch' }, { patch: 'bad.patch' }],
  });
});

describe('a patch of nothing but configuration is judged by those it configures', () => {
  const bump = (before: string, after: string): string =>
    `--- a/tsconfig.json\n+++ b/tsconfig.json\n@@ -7 +7 @@\n-${before}\n+${after}\n`;

  test('one that breaks programs is broken', async () => {
    const line = '    "allowImportingTsExtensions": true';
    const { code, stdout } = await whatif(bump(line, line.replace('true', 'false')), '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'broken',
      evaluations: expect.arrayContaining([
        expect.objectContaining({
          server: expect.objectContaining({ name: 'typescript-go' }),
          confidence: 'high',
        }),
      ]),
    });
  });

  test('a version that no program reads is clean, and asks no server of programs', async () => {
    const manifest = (await readFile(join(workspace.root, 'package.json'), 'utf8')).trimEnd();
    const next = manifest.replace('{', '{ "version": "9.9.9",');
    const patch = `--- a/package.json\n+++ b/package.json\n@@ -1 +1 @@\n-${manifest}\n+${next}\n`;
    const { code, stdout } = await whatif(patch, '--json');
    expect([code, JSON.parse(stdout).verdict]).toEqual([0, 'clean']);
    expect(stdout).not.toContain('typescript-go');
  });
});
