/** What CI servers and git hooks run: the action for GitHub, the template for GitLab, the hook for pre-commit. */
import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { bin, programEnvironment } from '../support/built-program.ts';
import { GitWorkspace } from '../support/git-workspace.ts';
import { violations } from '../support/report/report-schema.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(top, path), 'utf8');

let tree: GitWorkspace;
beforeAll(async () => {
  tree = await GitWorkspace.create({
    'tsconfig.json':
      '{"compilerOptions": {"strict": true, "lib": ["es2023"], "noEmit": true, "module": "preserve", "types": []}}',
    'math.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
    'app.ts': "import { add } from './math';\n\nexport const three: number = add(1, 2);\n",
    '.gitignore': 'reports/\nbin/\n*.sarif\nforerun-*\n',
  });
  await tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  // The names by which the recipes start the program.
  await mkdir(tree.at('bin'));
  await mkdir(tree.at('reports'));
  const start = `exec '${process.execPath}' '${bin}' "$@"\n`;
  await writeFile(tree.at('bin/forerun'), `#!/bin/sh\n${start}`);
  await writeFile(tree.at('bin/npx'), `#!/bin/sh\nshift 2\n${start}`);
  for (const name of ['forerun', 'npx']) await chmod(tree.at(`bin/${name}`), 0o755);
});
afterAll(() => tree[Symbol.asyncDispose]());

beforeEach(async () => {
  await tree.git('reset', '-q', '--hard', 'origin/main');
  for (const name of ['summary', 'output']) await rm(tree.at(`reports/${name}`), { force: true });
});

const changes = {
  broken: ['math.ts', 'export function add(a: string, b: number): number {\n  return Number(a) + b;\n}\n'],
  clean: ['math.ts', 'export function add(a: number, b: number): number {\n  return b + a;\n}\n'],
  unknown: ['program.zig', 'const answer = 42;\n'],
} as const;

async function change(kind: keyof typeof changes, ...commit: readonly string[]): Promise<void> {
  const [path, content] = changes[kind];
  await tree.write(path, content);
  await tree.git('add', '-A');
  if (commit.length > 0) await tree.git('commit', '-q', '-m', ...commit);
}

async function run(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const [program = '', ...words] = command;
  const path = `${tree.at('bin')}:${process.env.PATH}`;
  const child = spawn(program, words, {
    cwd: tree.root,
    env: { ...programEnvironment(env), PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, output: stdout };
}

describe('the action for GitHub', () => {
  const act = (env: Readonly<Record<string, string>> = {}) =>
    run([join(top, 'scripts/github-action')], {
      GITHUB_BASE_REF: 'main',
      GITHUB_STEP_SUMMARY: tree.at('reports/summary'),
      GITHUB_OUTPUT: tree.at('reports/output'),
      FORERUN_ACTION_SARIF: 'reports/forerun.sarif',
      ...env,
    });

  test.each<[keyof typeof changes, string, number]>([
    ['clean', 'broken', 0],
    ['broken', 'broken', 1],
    ['broken', 'never', 0],
    ['unknown', 'broken', 0],
    ['unknown', 'unknown', 2],
  ])('a pull request that is %s, with fail-on %s, exits with %i', async (kind, failOn, code) => {
    await change(kind, 'a change');
    const { code: exited, output } = await act({ FORERUN_ACTION_FAIL_ON: failOn });
    expect(exited, output).toBe(code);
    expect(await readFile(tree.at('reports/output'), 'utf8')).toBe(
      `verdict=${kind}\nsarif=reports/forerun.sarif\n`,
    );
    expect(await readFile(tree.at('reports/summary'), 'utf8')).toMatch(
      new RegExp(`^### Forerun: . ${kind}\n`, 'u'),
    );
    expect(await violations('sarif', await readFile(tree.at('reports/forerun.sarif'), 'utf8'))).toEqual([]);
    if (kind === 'broken') expect(output).toContain('::error file=app.ts,line=3,');
  });

  test('a mistake in the workflow fails whatever the step may fail on', async () => {
    await change('clean', 'a change');
    expect((await act({ FORERUN_ACTION_FAIL_ON: 'sometimes' })).code).toBe(0);
    await change('broken', 'another');
    expect((await act({ FORERUN_ACTION_FAIL_ON: 'sometimes' })).code).toBe(64);
    const missing = await act({ GITHUB_BASE_REF: 'nowhere' });
    expect(missing).toEqual({ code: 2, output: expect.stringContaining('fetch-depth: 0') });
  });

  test('its script reads every input, from the environment alone', async () => {
    const action = parse(await read('action.yml'));
    const [step] = action.runs.steps;
    const script = await read('scripts/github-action');
    expect(Object.keys(step.env).sort()).toEqual(
      [...new Set(script.match(/FORERUN_ACTION_[A-Z_]+/g))].sort(),
    );
    const used = Object.values<string>(step.env).map((value) => /inputs\.([a-z-]+)/.exec(value)?.[1]);
    expect(used.sort()).toEqual(Object.keys(action.inputs).sort());
    expect(step.run).not.toContain('${{');
  });
});

test('the template for GitLab writes the reports that it announces', async () => {
  await change('broken', 'a change');
  await tree.git('config', 'remote.origin.url', tree.root);
  await tree.git('branch', '-f', 'target', 'origin/main');
  const { forerun: job } = parse(await read('ci/forerun.gitlab-ci.yml'));
  const { code, output } = await run(['bash', '-ec', job.script.join('\n')], {
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'target',
  });
  expect(output).toContain('broken: these commits introduce 1 error in 1 file');
  expect(code).toBe(1);
  const { codequality, junit } = job.artifacts.reports;
  for (const [format, file] of [
    ['gitlab', codequality],
    ['junit', junit],
  ]) {
    const report = await readFile(tree.at(file), 'utf8');
    expect(await violations(format, report)).toEqual([]);
    expect(report).toContain('app.ts');
  }
});

test('the hook for pre-commit judges what is staged', async () => {
  const [hook] = parse(await read('.pre-commit-hooks.yaml'));
  expect(hook).toMatchObject({ id: 'forerun', pass_filenames: false });
  await change('broken');
  expect((await run(['sh', '-c', hook.entry])).code).toBe(1);
  await change('clean');
  expect((await run(['sh', '-c', hook.entry])).code).toBe(0);
});
