/**
 * Every tool on every language: called over the wire, read by its schema, and entered into the table of
 * docs/tool-languages.md. `FORERUN_UPDATE_DOCS=1` writes the table instead of comparing it.
 *
 * Invariant: a cell is compared only where the tool was called on this machine, on a server of the pinned version.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { servedTools } from '../../scripts/docs/served-tools.ts';
import { LineIndex } from '../../src/text/position.ts';
import { type LanguageCase, languageCases, type Step } from '../support/language-case.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { isOnPath } from '../support/on-path.ts';
import { isPinnedVersion } from '../support/provisioned.ts';
import { isExtraItem, payloadOf, resultSchemas } from '../support/result-schema.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** What the files of a language case leave out: types, tests, and a function nobody needs. */
interface Subject {
  /** As the language is written in the table. */
  readonly title: string;
  readonly language: string;
  readonly files: Readonly<Record<string, string>>;
  /** The one of these files with `Shape`, its subtype `Square`, `unit` and the spare function. */
  readonly shapes: string;
  /** A file that uses `add` without importing it, where the server has no mend for the error of the case. */
  readonly stray?: string;
  readonly lineComment: string;
  /** What `spare` does instead. */
  readonly body: string;
  /** A harmless command of the server, where it has one. */
  readonly command?: (stage: Stage) => Arguments;
  /** The program that runs the tests, where it does not come along. */
  readonly testRunner?: string;
}

const subjects: readonly Subject[] = [
  {
    title: 'TypeScript',
    language: 'typescript',
    files: {
      'package.json': JSON.stringify({ name: 'kit', type: 'module', scripts: { test: 'node --test' } }),
      'src/math.test.mjs': "import test from 'node:test';\n\ntest('adds', () => {});\n",
      'src/stray.ts': 'export const stray = add(1, 2);\n',
      'src/shape.ts':
        "import { add, zero } from './math';\n\nexport interface Shape {\n  area(): number;\n}\n\nexport class Square implements Shape {\n  area(): number {\n    return add(2, zero);\n  }\n}\n\nexport const unit: Shape =   new Square();\n\nfunction spare(): number {\n  return 1;\n}\n",
    },
    shapes: 'src/shape.ts',
    stray: 'src/stray.ts',
    lineComment: '//',
    body: 'return 2;',
  },
  {
    title: 'Python',
    language: 'python',
    files: {
      'kit/test_math.py':
        'from kit.math import add\n\n\ndef test_add() -> None:\n    assert add(1, 0) == 1\n',
      'kit/shape.py':
        'from kit.math import add, zero\n\n\nclass Shape:\n    def area(self) -> int:\n        return 0\n\n\nclass Square(Shape):\n    def area(self) -> int:\n        return add(2, zero)\n\n\nunit: Shape =   Square()\n\n\ndef spare() -> int:\n    return 1\n',
    },
    shapes: 'kit/shape.py',
    lineComment: '#',
    body: 'return 2',
    command: (stage) => ({
      command: 'pyright.organizeimports',
      arguments: [stage.uri(stage.subject.shapes)],
    }),
    testRunner: 'pytest',
  },
  {
    title: 'Go',
    language: 'go',
    files: {
      'math/math_test.go':
        'package math\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, Zero) != 1 {\n\t\tt.Fail()\n\t}\n}\n',
      'shape/shape.go':
        'package shape\n\nimport "example.test/kit/math"\n\ntype Shape interface {\n\tArea() int\n}\n\ntype Square struct{}\n\nfunc (Square) Area() int {\n\treturn math.Add(2, math.Zero)\n}\n\nvar unit Shape =   Square{}\n\nfunc spare() int {\n\treturn 1\n}\n',
    },
    shapes: 'shape/shape.go',
    lineComment: '//',
    body: 'return 2',
    command: () => ({ command: 'gopls.views' }),
    testRunner: 'go',
  },
  {
    title: 'C++',
    language: 'cpp',
    files: {
      'CMakeLists.txt':
        'cmake_minimum_required(VERSION 3.16)\nproject(kit CXX)\nenable_testing()\nadd_executable(math_test math_test.cpp)\nadd_test(NAME zero COMMAND math_test)\nadd_library(app OBJECT app.cpp)\n',
      'math_test.cpp': '#include "math.hpp"\n\nint main() { return zero; }\n',
      'shape.cpp':
        '#include "math.hpp"\n\nstruct Shape {\n  virtual int area() { return 0; }\n};\n\nstruct Square : Shape {\n  int area() override { return add(2, zero); }\n};\n\nSquare square;\nShape &unit =   square;\n\nint spare() {\n  return 1;\n}\n',
    },
    shapes: 'shape.cpp',
    lineComment: '//',
    body: 'return 2;',
    command: () => ({ command: 'clangd.applyFix', arguments: [{ changes: {} }] }),
    testRunner: 'cmake',
  },
  {
    title: 'Rust',
    language: 'rust',
    files: {
      'src/lib.rs': 'pub mod math;\npub mod app;\npub mod lone;\npub mod shape;\n',
      'src/shape.rs':
        'use crate::math::{add, ZERO};\n\npub trait Shape {\n    fn area(&self) -> i32;\n}\n\npub struct Square;\n\nimpl Shape for Square {\n    fn area(&self) -> i32 {\n        add(2, ZERO)\n    }\n}\n\npub fn describe(unit: &Square) -> i32 {\n    unit.area()  +  1\n}\n\nfn spare() -> i32 {\n    1\n}\n',
    },
    shapes: 'src/shape.rs',
    lineComment: '//',
    body: '2',
    testRunner: 'cargo',
  },
];

/** One language on its way through the calls: its files, its connection, and what earlier calls have told. */
class Stage implements AsyncDisposable {
  readonly subject: Subject;
  readonly language: LanguageCase;
  readonly connection: McpConnection;
  readonly #files: ScratchWorkspace;
  readonly #beside: ScratchWorkspace;
  session = '';
  /** Of an answer that was cut. */
  cursor = '';
  unsupported: readonly string[] = [];

  private constructor(parts: {
    subject: Subject;
    language: LanguageCase;
    connection: McpConnection;
    files: ScratchWorkspace;
    beside: ScratchWorkspace;
  }) {
    this.subject = parts.subject;
    this.language = parts.language;
    this.connection = parts.connection;
    this.#files = parts.files;
    this.#beside = parts.beside;
  }

  static async open(subject: Subject): Promise<Stage> {
    const language = caseOf(subject);
    const files = await ScratchWorkspace.create({ ...language.files, ...subject.files });
    const beside = await ScratchWorkspace.create();
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false'];
    for (const words of [
      ['init', '--quiet'],
      ['commit', '--quiet', '--allow-empty', '-m', 'first'],
    ])
      await promisify(execFile)('git', [...identity, ...words], { cwd: files.workspace.root });
    const connection = await McpConnection.open();
    connection.trust(files.workspace.root);
    return new Stage({ subject, language, files, beside, connection });
  }

  get root(): string {
    return this.#files.workspace.root;
  }

  /** A directory that is no part of the workspace. */
  get beside(): string {
    return this.#beside.workspace.root;
  }

  file(path: string): { readonly file_path: string } {
    return { file_path: this.#files.at(path) };
  }

  uri(path: string): string {
    return pathToFileURL(this.#files.at(path)).href;
  }

  /** Where a pattern begins in a file as it is on disk now, from 1. */
  place(path: string, pattern: RegExp): Arguments {
    const text = readFileSync(this.#files.at(path), 'utf8');
    const at = text.search(pattern);
    if (at < 0) throw new Error(`${path} does not contain ${pattern}`);
    const { line, character } = new LineIndex(text).positionAt(at);
    return { ...this.file(path), line: line + 1, column: character + 1 };
  }

  /** The lines and columns a piece of a file takes, from 1; without one, the whole file. */
  stretch(path: string, piece?: string): Arguments {
    const text = readFileSync(this.#files.at(path), 'utf8');
    const at = piece === undefined ? 0 : text.indexOf(piece);
    if (at < 0) throw new Error(`${path} does not contain ${piece}`);
    const index = new LineIndex(text);
    const [start, end] = [index.positionAt(at), index.positionAt(at + (piece ?? text).length)];
    return {
      ...this.file(path),
      start_line: start.line + 1,
      start_column: start.character + 1,
      end_line: end.line + 1,
      end_column: end.character + 1,
    };
  }

  edit({ path, replace, with: new_text }: Step): Arguments {
    return { ...this.stretch(path, replace), new_text };
  }

  quote({ path, replace: old_text, with: new_text }: Step): Arguments {
    return { ...this.file(path), old_text, new_text };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection[Symbol.asyncDispose]();
    await Promise.all([this.#files, this.#beside].map((each) => each[Symbol.asyncDispose]()));
  }
}

function caseOf(subject: Subject): LanguageCase {
  const found = languageCases.find(({ language }) => language === subject.language);
  if (!found) throw new Error(`no case for ${subject.language}`);
  return found;
}

interface Call {
  readonly tool: string;
  /** Set where a tool is called in more than one way. */
  readonly form?: string;
  readonly input: (stage: Stage) => Arguments;
  /** The list of the payload that is empty when nothing was found. */
  readonly found?: string;
  /** Takes from the payload what later calls need. */
  readonly keep?: (stage: Stage, payload: unknown, extras: readonly string[]) => void;
  /** Absent: on every subject. */
  readonly runsOn?: (subject: Subject) => boolean;
}

const nothing = (): Arguments => ({});
const declared = (stage: Stage): Arguments => stage.place(stage.language.remove, /\badd(?=\()/i);
const used = (stage: Stage): Arguments => stage.place(stage.language.dependent, /\badd(?=\(1)/i);
const shape = (stage: Stage): Arguments => stage.place(stage.subject.shapes, /\bShape\b/);
const unit = (stage: Stage): Arguments => stage.place(stage.subject.shapes, /\bunit\b/);
const shapes = (stage: Stage): Arguments => stage.stretch(stage.subject.shapes);
const project = (stage: Stage): Arguments => ({
  workspace_dir: stage.root,
  language: stage.subject.language,
});
const spare = (stage: Stage): Arguments => ({ ...stage.file(stage.subject.shapes), symbol_path: 'spare' });
const remark = (stage: Stage): Arguments => ({
  ...spare(stage),
  code: `${stage.subject.lineComment} Spare.`,
});
const ofSession = (stage: Stage): Arguments => ({ session_id: stage.session });
const patience = { timeout_ms: 60_000 };

/** Keeps the case of the first letter, on which it depends in Go who may use the name. */
const renamed = (stage: Stage): Arguments => ({
  ...declared(stage),
  new_name: stage.subject.language === 'go' ? 'Plus' : 'plus',
});

const begunSession = {
  tool: 'create_simulation_session',
  input: (stage: Stage): Arguments => ({ workspace_root: stage.root, language: stage.subject.language }),
  keep: (stage: Stage, payload: unknown): void => {
    stage.session = z.object({ session_id: z.string() }).parse(payload).session_id;
  },
};

const cutAnswer = z.object({
  _meta: z.object({ truncated: z.object({ continue_with: z.object({ cursor: z.string() }) }) }),
});

/** Every tool, in an order in which each finds what it needs: looking first, then sessions, then writing. */
const calls: readonly Call[] = [
  {
    tool: 'detect_lsp_servers',
    input: (stage) => ({ workspace_dir: stage.root }),
    found: 'installed_servers',
  },
  {
    tool: 'start_lsp',
    input: (stage) => ({
      root_dir: stage.root,
      language_id: stage.subject.language,
      ready_timeout_seconds: 60,
    }),
  },
  {
    tool: 'get_server_capabilities',
    input: (stage) => stage.file(stage.language.dependent),
    keep: (stage, payload) => {
      const reported = z.object({ unsupported_tools: z.array(z.string()) }).parse(payload);
      stage.unsupported = reported.unsupported_tools;
    },
  },
  { tool: 'set_log_level', input: () => ({ level: 'error' }) },
  { tool: 'open_document', input: (stage) => stage.file(stage.language.dependent) },
  { tool: 'get_diagnostics', input: (stage) => stage.file(stage.language.mend.path) },
  {
    tool: 'get_diagnostics',
    form: 'by symbol',
    input: (stage) => ({ ...stage.file(stage.language.mend.path), group_by: 'symbol' }),
  },
  { tool: 'get_diagnostics', form: 'of open documents', input: nothing },
  { tool: 'close_document', input: (stage) => stage.file(stage.language.dependent) },
  {
    tool: 'suggest_fixes',
    input: (stage) => stage.stretch(stage.language.mend.path, stage.language.mend.replace),
  },
  {
    tool: 'suggest_fixes',
    form: 'for a missing import',
    input: (stage) => stage.stretch(stage.subject.stray ?? '', 'add'),
    runsOn: ({ stray }) => stray !== undefined,
  },

  { tool: 'inspect_symbol', input: used },
  { tool: 'explore_symbol', input: used },
  { tool: 'explore', input: declared },
  { tool: 'get_editing_context', input: shapes, found: 'symbols' },
  { tool: 'list_symbols', input: shapes },
  {
    tool: 'list_symbols',
    form: 'as an outline',
    input: (stage) => ({ ...shapes(stage), format: 'outline' }),
  },
  {
    tool: 'list_symbols',
    form: 'cut',
    input: (stage) => ({ ...stage.file(stage.subject.shapes), max_tokens: 10 }),
    keep: (stage, _, extras) => {
      const [meta = '{}'] = extras.filter((item) => item.startsWith('{'));
      stage.cursor = cutAnswer.parse(JSON.parse(meta))._meta.truncated.continue_with.cursor;
    },
  },
  { tool: 'continue_answer', input: (stage) => ({ cursor: stage.cursor }) },
  { tool: 'get_symbol_source', input: (stage) => stage.place(stage.subject.shapes, /\bspare\b/) },
  {
    tool: 'get_symbol_documentation',
    input: (stage) => ({
      ...stage.file(stage.language.remove),
      symbol: stage.subject.language === 'go' ? 'Add' : 'add',
      language_id: stage.subject.language,
    }),
  },
  {
    tool: 'get_completions',
    input: (stage) => stage.place(stage.language.dependent, /(?<=\bad)d\(1/i),
    found: 'items',
  },
  { tool: 'get_signature_help', input: (stage) => stage.place(stage.language.dependent, /(?<=\badd\()1/i) },
  { tool: 'get_inlay_hints', input: shapes },
  { tool: 'get_semantic_tokens', input: shapes },

  { tool: 'go_to_definition', input: used },
  { tool: 'go_to_type_definition', input: unit },
  { tool: 'go_to_implementation', input: shape },
  { tool: 'go_to_declaration', input: used },
  { tool: 'go_to_symbol', input: () => ({ symbol_path: 'Square' }) },
  { tool: 'find_symbol', input: () => ({ query: 'Square' }) },
  { tool: 'find_symbol', form: 'with hover', input: () => ({ query: 'Square', detail_level: 'hover' }) },
  { tool: 'find_references', input: declared },
  { tool: 'find_callers', input: declared, found: 'incoming' },
  {
    tool: 'callers',
    input: (stage) => ({ ...declared(stage), cross_concurrent: true }),
    found: 'incoming',
  },
  { tool: 'type_hierarchy', input: shape, found: 'subtypes' },
  { tool: 'get_document_highlights', input: unit },
  { tool: 'prepare_rename', input: declared },

  {
    tool: 'blast_radius',
    input: (stage) => ({
      changed_files: [stage.file(stage.language.remove).file_path],
      include_transitive: true,
    }),
    found: 'non_test_callers',
  },
  { tool: 'detect_changes', input: (stage) => ({ workspace_root: stage.root }), found: 'affected_symbols' },
  {
    tool: 'get_cross_repo_references',
    input: (stage) => {
      const { file_path, ...place } = declared(stage);
      return { symbol_file: file_path, ...place, consumer_roots: [stage.beside] };
    },
    found: 'references',
  },
  { tool: 'add_workspace_folder', input: (stage) => ({ path: stage.beside }) },
  { tool: 'list_workspace_folders', input: nothing },
  { tool: 'remove_workspace_folder', input: (stage) => ({ path: stage.beside }) },
  {
    tool: 'did_change_watched_files',
    input: (stage) => ({ changes: [{ uri: stage.uri(stage.language.dependent), type: 2 }] }),
  },
  {
    tool: 'get_tests_for_file',
    input: (stage) => stage.file(stage.language.remove),
    found: 'test_files',
  },

  { tool: 'preview_edit', input: (stage) => ({ ...stage.edit(stage.language.breaking), ...patience }) },
  begunSession,
  {
    tool: 'simulate_edit',
    input: (stage) => ({ ...ofSession(stage), ...stage.edit(stage.language.breaking) }),
  },
  { tool: 'simulate_command', input: (stage) => ({ ...ofSession(stage), command: 'ls' }) },
  { tool: 'evaluate_session', input: (stage) => ({ ...ofSession(stage), ...patience }) },
  {
    tool: 'simulate_chain',
    input: (stage) => ({ ...ofSession(stage), edits: [stage.edit(stage.language.mend)], ...patience }),
  },
  {
    tool: 'compare_sessions',
    input: (stage) => ({ session_ids: [stage.session], ...patience }),
    found: 'ranked',
  },
  {
    tool: 'compose_sessions',
    input: (stage) => ({ session_ids: [stage.session], ...patience }),
    found: 'sides',
  },
  {
    tool: 'preview_merge',
    input: (stage) => ({ workspace_root: stage.root, sides: ['HEAD'], ...patience }),
    found: 'sides',
  },
  { tool: 'list_sessions', input: nothing, found: 'sessions' },
  { tool: 'resume_session', input: ofSession },
  { tool: 'discard_session', input: ofSession },
  { tool: 'destroy_session', input: ofSession },
  { ...begunSession, form: 'to commit' },
  {
    tool: 'simulate_edit',
    form: 'to commit',
    input: (stage) => ({ ...ofSession(stage), ...stage.edit(stage.language.move) }),
  },
  { tool: 'commit_session', input: ofSession },

  { tool: 'format_document', input: (stage) => stage.file(stage.subject.shapes) },
  { tool: 'format_range', input: shapes },
  { tool: 'replace_symbol_body', input: (stage) => ({ ...spare(stage), new_body: stage.subject.body }) },
  { tool: 'insert_after_symbol', input: remark },
  { tool: 'insert_before_symbol', input: remark },
  { tool: 'safe_delete_symbol', input: spare },
  { tool: 'apply_edit', input: (stage) => stage.quote(stage.language.move) },
  { tool: 'rename_symbol', input: (stage) => ({ ...renamed(stage), dry_run: true }) },
  { tool: 'rename_symbol', form: 'on disk', input: renamed },
  { tool: 'undo_last_commit', input: nothing },
  {
    tool: 'execute_command',
    input: (stage) => ({
      ...stage.file(stage.subject.shapes),
      ...(stage.subject.command?.(stage) ?? { command: 'none' }),
    }),
  },
  { tool: 'run_build', input: project },
  {
    tool: 'run_tests',
    input: project,
    runsOn: ({ testRunner }) => testRunner === undefined || isOnPath(testRunner),
  },
  {
    tool: 'safe_apply_edit',
    input: (stage) => ({ ...stage.quote(stage.language.breaking), ...patience }),
  },
  { tool: 'safe_edit', input: (stage) => ({ ...stage.quote(stage.language.mend), ...patience }) },
  { tool: 'export_cache', input: () => ({ dest_path: 'kept/cache.db.gz' }) },
  { tool: 'import_cache', input: () => ({ src_path: 'kept/cache.db.gz' }) },
  { tool: 'restart_lsp_server', input: (stage) => ({ language_id: stage.subject.language }) },

  { tool: 'activate_skill', input: () => ({ skill_name: 'lsp-rename' }), found: 'allowed_tools' },
  { tool: 'get_skill_phase', input: nothing },
  { tool: 'deactivate_skill', input: nothing },
  { tool: 'get_skill_phase', form: 'without a skill', input: nothing },
];

type Cell = 'yes' | 'in part' | 'empty' | 'unsupported';

/** What was seen in this run, by tool and title. */
const seen = new Map<string, Cell>();
const keyOf = (tool: string, title: string): string => `${tool} ${title}`;

async function check(stage: Stage, { tool, input, found, keep }: Call): Promise<void> {
  const { text, content, isError } = await stage.connection.call(tool, input(stage));
  expect(isError, content.join('\n')).toBe(false);
  const payload = payloadOf(tool, text);
  const extras = content.slice(1);
  keep?.(stage, payload, extras);
  expect(extras.filter((item) => !isExtraItem(item))).toEqual([]);
  const isEmpty = saysNothing(payload, found);
  const cannotBeAsked = stage.unsupported.includes(tool);
  const leavesOut = cannotBeAsked || extras.some(saysUnsupported);
  if (isEmpty) expect(extras.filter((item) => item.startsWith('Next step: '))).toEqual([]);
  if (cannotBeAsked) expect(isEmpty, text).toBe(true);
  const key = keyOf(tool, stage.subject.title);
  const cell = isEmpty ? (leavesOut ? 'unsupported' : 'empty') : leavesOut ? 'in part' : 'yes';
  if (seen.get(key) !== 'yes') seen.set(key, cell);
}

/** Whether a payload tells that nothing was found. */
function saysNothing(payload: unknown, found?: string): boolean {
  if (typeof payload === 'string') return payload === '' || /^No /i.test(payload);
  if (payload === null) return true;
  if (Array.isArray(payload)) return payload.length === 0;
  if (typeof payload !== 'object') return false;
  const members: Readonly<Record<string, unknown>> = { ...payload };
  if (found !== undefined) return saysNothing(members[found]);
  return members.source === 'error' || Object.values(members).every((value) => saysNothing(value));
}

/** Whether an item after the payload names a capability the server lacks. */
function saysUnsupported(item: string): boolean {
  if (item.startsWith('Next step: ')) return false;
  return z.object({ _meta: z.object({ unsupported: z.string() }) }).safeParse(JSON.parse(item)).success;
}

for (const subject of subjects) {
  const { binary } = caseOf(subject);
  const isPresent = binary === undefined || isOnPath(binary);
  describe.skipIf(!isPresent)(`${subject.title}${isPresent ? '' : ` (no ${binary})`}`, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await Stage.open(subject);
    });
    afterAll(() => stage?.[Symbol.asyncDispose]());
    const own = calls.filter(({ runsOn }) => runsOn?.(subject) ?? true);
    test.each(own.map((call) => [call.form ? `${call.tool}, ${call.form},` : call.tool, call] as const))(
      '%s answers what its schema says',
      (_name, call) => check(stage, call),
    );
  });
}

describe('the table', () => {
  test('every tool that is listed has a schema and is called', async () => {
    await using connection = await McpConnection.open();
    const listed = (await connection.client.listTools()).tools.map(({ name }) => name).sort();
    const defined = servedTools.flatMap(({ name, listedAliases }) => [
      name,
      ...listedAliases.map((alias) => alias.name),
    ]);
    expect(listed).toEqual(defined.sort());
    expect([...resultSchemas.keys()].sort()).toEqual(listed);
    expect([...new Set(calls.map(({ tool }) => tool))].sort()).toEqual(listed);
  });

  test('docs/tool-languages.md says what was answered', async () => {
    const file = fileURLToPath(new URL('../../docs/tool-languages.md', import.meta.url));
    const page = tablePage(writtenCells(await readFile(file, 'utf8').catch(() => '')));
    if (process.env.FORERUN_UPDATE_DOCS === '1') await writeFile(file, page);
    expect(await readFile(file, 'utf8')).toBe(page);
  });
});

/** The cells of the page as it stands, for what was not called in this run. */
function writtenCells(page: string): ReadonlyMap<string, string> {
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  const [titles = [], , ...tools] = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  return new Map(
    tools.flatMap(([, tool = '', ...row]) =>
      row.map((cell, at) => [keyOf(tool.replaceAll('`', ''), titles[at + 2] ?? ''), cell] as const),
    ),
  );
}

function tablePage(written: ReadonlyMap<string, string>): string {
  const line = (words: readonly string[]): string => `| ${words.join(' | ')} |`;
  const titles = subjects.map(({ title }) => title);
  const isComparable = new Map(
    subjects.map((subject) => [subject.title, isPinnedVersion(caseOf(subject).binary)]),
  );
  const cell = (tool: string, title: string): string => {
    const key = keyOf(tool, title);
    return (isComparable.get(title) ? seen.get(key) : undefined) ?? written.get(key) ?? 'not run';
  };
  const rows = [...resultSchemas.keys()]
    .sort()
    .map((tool) => line([`\`${tool}\``, ...titles.map((title) => cell(tool, title))]));
  const table = [line(['tool', ...titles]), line(['---', ...titles.map(() => '---')]), ...rows];
  return `${introduction}\n\n${table.join('\n')}\n`;
}

const introduction = `# Tools and languages

<!-- Written by \`FORERUN_UPDATE_DOCS=1 npm test -- test/servers/tool-matrix\`. -->

What each tool answered when it was called on a small workspace of each language, through the TypeScript compiler's own
server, pyright, gopls, clangd and rust-analyzer. *yes*: an answer with something in it. *in part*: the same, with what
the server cannot be asked for named beside it. *empty*: the server can be asked, but had nothing to say of this
workspace. *unsupported*: the server cannot be asked, and the tool answers that there is nothing. *not run*: no answer has been seen.`;
