/** `preview_merge` and `compose_sessions`: agents that work in parallel ask before they collide. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { GitWorkspace } from '../support/git-workspace.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';

const files = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, lib: ['es2023'], noEmit: true, module: 'preserve', types: [] },
  }),
  'src/math.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
  'src/app.ts': "import { add } from './math';\n\nexport const three: number = add(1, 2);\n",
  'src/list.ts': 'export const list = [\n  1,\n];\n',
};
const renamed = 'export function sum(a: number, b: number): number {\n  return a + b;\n}\n';
const renamedUse = "import { sum } from './math';\n\nexport const three: number = sum(1, 2);\n";
const caller = "import { add } from './math';\n\nexport const five: number = add(2, 3);\n";

let tree: GitWorkspace;
let plain: ScratchWorkspace;
let connection: McpConnection;

beforeAll(async () => {
  tree = await GitWorkspace.create(files);
  plain = await ScratchWorkspace.create(files);
  connection = await McpConnection.open({ words: ['--log-level', 'error'] });
});

afterAll(async () => {
  await connection[Symbol.asyncDispose]();
  await tree[Symbol.asyncDispose]();
  await plain[Symbol.asyncDispose]();
});

beforeEach(() => tree.reset());

const patience = { timeout_ms: 60_000 };

/** A session that gives these files these texts. */
async function session(root: string, texts: Readonly<Record<string, string>>): Promise<string> {
  const made = await connection.call('create_simulation_session', {
    workspace_root: root,
    language: 'typescript',
  });
  const session_id = String(made.json?.session_id);
  for (const [path, new_text] of Object.entries(texts)) {
    const file_path = join(root, path);
    const lines = Object.entries(files)
      .find(([known]) => known === path)?.[1]
      .split('\n').length;
    const place =
      lines === undefined
        ? { operation: 'create' }
        : { start_line: 1, start_column: 1, end_line: lines, end_column: 1 };
    const answer = await connection.call('simulate_edit', { session_id, file_path, ...place, new_text });
    expect(answer.isError, answer.text).toBe(false);
  }
  return session_id;
}

interface Report {
  readonly verdict: string;
  readonly sides: readonly { readonly name: string; readonly verdict: string }[];
  readonly pairs: readonly { readonly outcome: string; readonly conflicts?: readonly unknown[] }[];
  readonly train: readonly string[];
  readonly left_out: readonly { readonly name: string; readonly why: string }[];
  readonly session_id?: string;
}

async function asked(tool: string, input: Readonly<Record<string, unknown>>): Promise<Report> {
  const answer = await connection.call(tool, { ...patience, ...input });
  expect(answer.isError, answer.text).toBe(false);
  return answer.json as unknown as Report;
}

describe('compose_sessions', () => {
  test('names the errors that no session has alone, outside of any repository too', async () => {
    const renames = await session(plain.workspace.root, { 'src/math.ts': renamed, 'src/app.ts': renamedUse });
    const calls = await session(plain.workspace.root, { 'src/five.ts': caller });
    const report = await asked('compose_sessions', { session_ids: [renames, calls] });
    expect(report.sides.map(({ verdict }) => verdict)).toEqual(['clean', 'clean']);
    expect(report.pairs).toMatchObject([
      {
        outcome: 'semantic',
        conflicts: [
          { file: 'src/five.ts', line: 1, changes: [{ file: 'src/math.ts' }, { file: 'src/five.ts' }] },
        ],
      },
    ]);
    expect(report).toMatchObject({
      verdict: 'broken',
      train: [renames],
      left_out: [{ name: calls, why: `semantic conflict with ${renames}` }],
    });
  });

  test('makes one session of those that agree, which is committed as a whole', async () => {
    const { root } = plain.workspace;
    const first = await session(root, { 'src/six.ts': 'export const six: number = 6;\n' });
    const second = await session(root, {
      'src/math.ts': `${files['src/math.ts']}export const zero = 0;\n`,
    });
    const textual = await session(root, { 'src/six.ts': 'export const seven: number = 7;\n' });
    const ids = [first, second, textual];
    const report = await asked('compose_sessions', { session_ids: ids, create_session: true });
    expect(report).toMatchObject({ verdict: 'broken', train: [first, second] });
    expect(report.pairs.map(({ outcome }) => outcome)).toEqual(['clean', 'textual', 'clean']);
    const committed = await connection.call('commit_session', { session_id: report.session_id, apply: true });
    expect(committed.json?.files_written).toBe(2);
    expect(await readFile(plain.at('src/six.ts'), 'utf8')).toBe('export const six: number = 6;\n');
    expect(await readFile(plain.at('src/math.ts'), 'utf8')).toContain('zero');
  });

  test('a session whose file has changed on disk since does not merge', async () => {
    const { root } = plain.workspace;
    const late = await session(root, { 'src/list.ts': 'export const list = [2];\n' });
    await writeFile(plain.at('src/list.ts'), 'export const list = [3];\n');
    const report = await asked('compose_sessions', { session_ids: [late] });
    expect(report).toMatchObject({
      verdict: 'broken',
      sides: [{ verdict: 'broken', textual_conflicts: ['src/list.ts'] }],
    });
  });
});

describe('preview_merge', () => {
  test('a branch, another working tree and a session', async () => {
    await tree.git('checkout', '-q', '-B', 'renames', 'main');
    await tree.write('src/math.ts', renamed);
    await tree.write('src/app.ts', renamedUse);
    await tree.git('commit', '-q', '-a', '-m', 'renames');
    await tree.git('checkout', '-q', 'main');
    await using place = await ScratchWorkspace.create({});
    const other = place.at('other');
    await tree.git('worktree', 'add', '-q', '--detach', other, 'main');
    await writeFile(join(other, 'src/five.ts'), caller);
    const own = await session(tree.root, { 'src/six.ts': 'export const six: number = 6;\n' });
    const sides = ['renames', other, `session:${own}`];
    const report = await asked('preview_merge', { workspace_root: tree.root, sides });
    expect(report.sides.map(({ verdict }) => verdict)).toEqual(['clean', 'clean', 'clean']);
    expect(report.pairs.map(({ outcome }) => outcome)).toEqual(['semantic', 'clean', 'clean']);
    expect(report.train).toEqual(['renames', `session:${own}`]);
    // A session in the other working tree counts with what that one has not committed.
    const there = await session(other, { 'src/seven.ts': 'export const seven: number = 7;\n' });
    const nested = await asked('preview_merge', {
      workspace_root: tree.root,
      sides: ['renames', `session:${there}`],
    });
    expect(nested.pairs.map(({ outcome }) => outcome)).toEqual(['semantic']);
    expect(await tree.git('status', '--porcelain')).toBe('');
    await tree.git('worktree', 'remove', '--force', other);
  });

  test('a branch that is named like a directory is the branch, unless it is written as a path', async () => {
    await tree.git('branch', '-f', 'src', 'main');
    const report = await asked('preview_merge', { workspace_root: tree.root, sides: ['src'] });
    expect(report.verdict).toBe('clean');
  });

  test.each<[string, string]>([
    ['nowhere', 'neither a revision nor a working tree'],
    ['session:none', 'session not found'],
    ['--upload-pack=x', 'neither a revision nor a working tree'],
    ['/', 'git'],
  ])('%s is refused with what can be given', async (side, why) => {
    const answer = await connection.call('preview_merge', { workspace_root: tree.root, sides: [side] });
    expect(answer.isError).toBe(true);
    expect(answer.content.join('\n')).toContain(why);
  });

  test('a working tree outside the served roots is not read', async () => {
    await using place = await ScratchWorkspace.create({});
    const other = place.at('other');
    await tree.git('worktree', 'add', '-q', '--detach', other, 'main');
    await using bounded = await McpConnection.open({ words: ['--log-level', 'error', '--root', tree.root] });
    const answer = await bounded.call('preview_merge', { workspace_root: tree.root, sides: [other] });
    expect(answer.isError).toBe(true);
    await tree.git('worktree', 'remove', '--force', other);
  });
});
