/**
 * A stranger's repository, through every front end: while it is untrusted not one of its programs runs and not one byte
 * changes; once it is trusted it works, with its own programs.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runProgram } from '../support/built-program.ts';
import { HostileRepository, type Victim } from '../support/hostile/hostile-repository.ts';
import { libraryProgram } from '../support/hostile/library-program.ts';
import { HttpProgram } from '../support/http-program.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { isOnPath } from '../support/on-path.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { isSoak } from '../support/soak.ts';
import { isRoot } from '../support/somebody-else.ts';

const victims: readonly Victim[] = isRoot ? ['ourselves', 'ordinary user'] : ['ourselves'];

type CommandRow = [name: string, words: readonly string[], input: string];

describe.each(victims)('opened by %s', (victim) => {
  let repository: HostileRepository;
  /** Most front ends are started by one of the users in every run, and by both in a soak. */
  const isRunBy = (user: Victim): boolean => isSoak() || victims.length === 1 || victim === user;
  const onlyBy = (user: Victim, row: CommandRow): readonly CommandRow[] => (isRunBy(user) ? [row] : []);

  beforeAll(async () => {
    repository = await HostileRepository.create(victim);
  });

  afterAll(() => repository[Symbol.asyncDispose]());

  beforeEach(() => repository.forget());

  const run = (words: readonly string[], options: { input?: string; env?: Record<string, string> } = {}) =>
    runProgram(words, {
      cwd: repository.root,
      through: repository.through,
      input: options.input ?? '',
      env: { ...repository.env, ...options.env },
    });

  async function expectUntouched(): Promise<void> {
    expect({ executed: await repository.executed(), changes: await repository.changes() }).toEqual({
      executed: [],
      changes: [],
    });
  }

  async function connect(words: readonly string[] = []): Promise<McpConnection> {
    const { root: cwd, through, home, env } = repository;
    return McpConnection.open({ cwd, through, words, state: `${home}/.local/state`, env });
  }

  describe('while it is untrusted', () => {
    let connection: McpConnection;
    beforeAll(async () => {
      connection = await connect();
    });
    afterAll(() => connection[Symbol.asyncDispose]());

    test('its diagnostics, symbols and history can be asked for over MCP', async () => {
      for (const [tool, args] of questions(repository)) {
        const answer = await connection.call(tool, args);
        expect(`${tool}: ${answer.text}`).not.toMatch(/internal error/i);
        expect({ tool, args, executed: await repository.executed() }).toEqual({ tool, args, executed: [] });
      }
      await expectUntouched();
    });

    test('verdicts are given by servers from outside the repository', async () => {
      for (const [file, line, column, text] of [
        ['math.ts', 1, 24, 'string'],
        ['shapes.py', 1, 17, 'str'],
      ] as const) {
        const { json } = await connection.call('preview_edit', {
          workspace_root: repository.root,
          file_path: repository.at(file),
          start_line: line,
          start_column: column,
          end_line: line,
          end_column: column + text.length,
          new_text: text === 'string' ? 'string' : 'str',
        });
        expect(json).toMatchObject({ net_delta: expect.any(Number) });
      }
      await expectUntouched();
    });

    test.each([
      ['run_build', {}],
      ['run_tests', {}],
    ])('%s is refused, with the way to allow it', async (tool, args) => {
      const answer = await connection.call(tool, { workspace_dir: repository.root, ...args });
      expect(answer.isError).toBe(true);
      expect(answer.content.join('\n')).toMatch(/trust/);
      await expectUntouched();
    });

    test('a command is simulated where it can reach nothing outside', async () => {
      const command = `echo out > out/written; echo out > "$HOME/written"; echo out > ${repository.marks}/written; npm test`;
      await connection.call('simulate_command', { workspace_root: repository.root, command });
      await expectUntouched();
    });

    test.each<CommandRow>([
      ['whatif', ['whatif', '-'], breakingPatch],
      ...onlyBy('ordinary user', ['whatif on what is not committed', ['whatif'], '']),
      ...onlyBy('ourselves', ['whatif on what is staged', ['whatif', '--staged'], '']),
      ...onlyBy('ourselves', [
        'whatif in workspace scope on Rust',
        ['whatif', '-', '--timeout', '60000'],
        rustPatch,
      ]),
      ...onlyBy('ourselves', ['doctor', ['doctor'], '']),
      ...onlyBy('ordinary user', ['doctor --json', ['doctor', '--json'], '']),
      ...onlyBy('ordinary user', ['status', ['status'], '']),
      ...onlyBy('ourselves', ['config', ['config', 'list'], '']),
      ...onlyBy('ordinary user', ['call', ['call', 'detect_lsp_servers', '{}'], '']),
      ...onlyBy('ourselves', ['skills', ['skills'], '']),
      ...onlyBy('ordinary user', ['daemon', ['daemon', 'status'], '']),
      ...onlyBy('ourselves', ['trust --list', ['trust', '--list'], '']),
    ])('%s', async (_name, words, input) => {
      await run(words, { input });
      await expectUntouched();
    });

    if (isRunBy('ordinary user'))
      test('the hook', async () => {
        await run(['hook', '--deadline', '60000'], { input: JSON.stringify(hookEvent(repository)) });
        await expectUntouched();
      });

    if (isRunBy('ordinary user'))
      test('MCP over HTTP', async () => {
        await using server = await HttpProgram.start(['--no-auth'], repository);
        const client = await server.client();
        for (const [name, args] of questions(repository).slice(0, 12)) {
          await client.callTool({ name, arguments: args }, { timeout: 200_000 });
        }
        await client.close();
        await expectUntouched();
      });

    if (isRunBy('ourselves'))
      test('a broker', async () => {
        const broker = { FORERUN_DAEMON: 'on' };
        await run(['whatif', '-'], { input: breakingPatch, env: broker });
        await run(['daemon', 'stop', '--all'], { env: broker });
        await expectUntouched();
      });

    if (isRunBy('ourselves'))
      test('the library', async () => {
        const { stdout, stderr } = await runProgram([repository.root], {
          program: libraryProgram,
          cwd: repository.root,
          through: repository.through,
          input: breakingPatch,
          env: repository.env,
        });
        expect({ stderr, ...JSON.parse(stdout || '{}') }).toMatchObject({
          stderr: '',
          verdict: 'broken',
          own: 'broken',
          trust: 'untrusted',
        });
        await expectUntouched();
      });

    if (isRunBy('ourselves'))
      test('the agent', async () => {
        await using provider = await ScriptedProvider.open();
        provider.answer(
          [{ call: 'Read', arguments: { file_path: 'math.ts' } }],
          [{ call: 'Grep', arguments: { pattern: 'add' } }],
          [{ call: 'Glob', arguments: { pattern: '**/*.ts' } }],
          [{ call: 'Bash', arguments: { command: 'git status; git diff; git log -p; ls -la; cat math.ts' } }],
          [{ text: 'Seen.' }],
        );
        const env = { FORERUN_MODEL: 'openai-compatible/scripted', FORERUN_BASE_URL: provider.url };
        const { code, stderr } = await run(['chat', '-p', 'look around'], { env });
        expect(code).toBe(0);
        for (const key of ['permissions.allow', 'permissions.mode', 'trust.folders'])
          expect(stderr).toContain(`a workspace may not set ${key} to this`);
        await expectUntouched();
      });
  });

  test('an edit that is committed changes that file and nothing else', async () => {
    await using connection = await connect();
    const answer = await connection.call('safe_apply_edit', {
      file_path: repository.at('app.ts'),
      old_text: 'add(1, 2)',
      new_text: 'add(2, 1)',
    });
    expect(answer.isError).toBe(false);
    expect(await repository.read('app.ts')).toContain('add(2, 1)');
    expect(await repository.executed()).toEqual([]);
    expect((await repository.changes()).map((line) => line.replace(/ .*? /, ' '))).toHaveLength(2);
  });

  describe('once it is trusted', () => {
    beforeAll(async () => {
      const { code, stderr } = await run(['trust', repository.root]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    });

    test('its own TypeScript and its own Python environment judge it', async () => {
      const { code, stdout } = await run(['whatif', '-'], { input: breakingPatch });
      expect(stdout).toContain("Type 'string' is not assignable to type 'number'");
      expect(code).toBe(1);
      expect(await names(repository)).toContain('own-typescript');
    });

    test('its tests run', async () => {
      await using connection = await connect();
      await connection.call('run_tests', { workspace_dir: repository.root });
      expect(await repository.executed()).not.toEqual([]);
    });

    test('trust can be taken back', async () => {
      expect((await run(['trust', '--revoke', repository.root])).code).toBe(0);
      const { code } = await run(['whatif', '-'], { input: breakingPatch });
      expect(code).toBe(1);
      expect(await repository.executed()).toEqual([]);
    });
  });
});

async function names(repository: HostileRepository): Promise<readonly string[]> {
  return (await repository.executed()).map((line) => line.split(':', 1)[0] ?? '');
}

/** Every tool that looks at a file or a workspace, on every language that the repository has. */
function questions({ root, at }: HostileRepository): readonly [string, Record<string, unknown>][] {
  const files = ['math.ts', 'shapes.py', 'data.json', ...languagesHere()];
  const place = { line: 1, column: 5 };
  return [
    ['detect_lsp_servers', { workspace_dir: root }],
    ['start_lsp', { root_dir: root }],
    ['get_server_capabilities', {}],
    ['detect_changes', { workspace_root: root }],
    ['detect_changes', { workspace_root: root, range: 'HEAD~0..HEAD' }],
    ['find_symbol', { workspace_root: root, query: 'add' }],
    [
      'get_cross_repo_references',
      { symbol_file: at.call({ root }, 'math.ts'), ...place, consumer_roots: [root] },
    ],
    ...files.flatMap((file): [string, Record<string, unknown>][] => {
      const file_path = `${root}/${file}`;
      return [
        ['open_document', { file_path }],
        ['get_diagnostics', { file_path }],
        ['list_symbols', { file_path }],
        ['find_references', { file_path, ...place }],
        ['inspect_symbol', { file_path, ...place }],
        ['explore_symbol', { file_path, ...place }],
        ['get_editing_context', { file_path }],
        ['blast_radius', { changed_files: [file_path] }],
        ['get_tests_for_file', { file_path }],
        ['suggest_fixes', { file_path, start_line: 1, start_column: 1, end_line: 1, end_column: 5 }],
        ['get_symbol_documentation', { file_path, ...place, symbol: 'json' }],
        ['get_symbol_documentation', { language_id: 'python', symbol: 'shapes', file_path }],
        ['get_symbol_documentation', { language_id: 'python', symbol: 'json', file_path }],
        ['format_document', { file_path }],
      ];
    }),
  ];
}

/** Servers that are looked for on the search path. */
function languagesHere(): readonly string[] {
  return [
    ...(isOnPath('gopls') ? ['main.go'] : []),
    ...(isOnPath('clangd') ? ['main.c'] : []),
    ...(isOnPath('rust-analyzer') ? ['src/lib.rs'] : []),
  ];
}

function hookEvent({ root }: HostileRepository): unknown {
  return {
    session_id: 's',
    transcript_path: '/t',
    permission_mode: 'default',
    cwd: root,
    hook_event_name: 'PreToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: `${root}/math.ts`, old_string: 'a: number', new_string: 'a: string' },
  };
}

const breakingPatch = `--- a/math.ts
+++ b/math.ts
@@ -1,3 +1,3 @@
-export function add(a: number, b: number): number {
+export function add(a: string, b: number): number {
   return a + b;
 }
--- a/shapes.py
+++ b/shapes.py
@@ -1,2 +1,2 @@
-def area(width: int, height: int) -> int:
+def area(width: int, height: int) -> str:
     return width * height
`;

const rustPatch = `--- a/src/rectangle.rs
+++ b/src/rectangle.rs
@@ -1,3 +1,3 @@
-pub fn side(value: i32) -> i32 {
+pub fn side(value: i64) -> i64 {
     value
 }
`;
