/** The agent with live language servers: what it asks about code is about its own overlay. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CodeConnection } from '../../src/agent/code-connection.ts';
import { codeTools } from '../../src/agent/code-tools.ts';
import { Conversation } from '../../src/agent/conversation.ts';
import type { Judge } from '../../src/agent/judgement.ts';
import { PermissionGuard } from '../../src/agent/permission/permission-guard.ts';
import { toolkit } from '../../src/agent/toolkit.ts';
import { silentLog } from '../../src/base/log.ts';
import { evaluateOverlay } from '../../src/evaluation/evaluate-overlay.ts';
import { verdictOf } from '../../src/evaluation/evaluation.ts';
import { readText } from '../../src/overlay/overlay.ts';
import { languageId } from '../../src/servers/language.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import { OpenedDocuments } from '../../src/tools/opened-documents.ts';
import { turn } from '../support/agent-trial.ts';
import { CommittedFiles } from '../support/committed-files.ts';
import { greedySampling } from '../support/greedy-sampling.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { scriptedClient } from '../support/scripted-provider-client.ts';
import { World } from '../support/world.ts';

const files = {
  // In a repository a commit keeps its own files out of sight; elsewhere the watcher sees them come and go.
  '.git/HEAD': 'ref: refs/heads/main\n',
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "lib": ["es2023"], "noEmit": true, "module": "preserve" } }\n',
  'math.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
  'app.ts': "import { add } from './math';\n\nexport const sum: number = add(1, 2);\n",
};

let world: World;
let provider: ScriptedProvider;

beforeAll(async () => {
  world = await World.open(files);
  provider = await ScriptedProvider.open();
});

afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

test('an edit is told with the errors it introduces in other files, and with those it resolves', async () => {
  const conversation = begin();
  provider.answer(
    [{ call: 'Read', arguments: { file_path: 'math.ts' } }],
    [{ call: 'Edit', arguments: { file_path: 'math.ts', old_string: 'a: number', new_string: 'a: string' } }],
    [{ call: 'Edit', arguments: { file_path: 'math.ts', old_string: 'a: string', new_string: 'a: number' } }],
    [{ text: 'Back again.' }],
  );
  const { events } = await turn(conversation, 'Try a string');
  const verdicts = events.flatMap((event) =>
    event.kind === 'diagnostics'
      ? [
          [
            event.judgement.verdict,
            event.judgement.introduced.map(({ path }) => path),
            event.judgement.resolved.length,
          ] as const,
        ]
      : [],
  );
  expect(verdicts).toEqual([
    ['broken', ['app.ts', 'math.ts'], 0],
    ['clean', [], 2],
  ]);
  expect(await readFile(world.workspace.absolute(world.workspace.path('math.ts')), 'utf8')).toBe(
    files['math.ts'],
  );
});

test('a fork renames a symbol in its own files, and asks about them', async () => {
  const parent = begin();
  const fork = parent.fork({ guards: [], commands: parent.setup.commands });
  provider.answer(
    [{ call: 'rename_symbol', arguments: { file_path: 'math.ts', line: 1, column: 17, new_name: 'plus' } }],
    [{ call: 'list_symbols', arguments: { file_path: 'math.ts' } }],
    [{ text: 'Renamed.' }],
  );
  const { events } = await turn(fork, 'Rename add to plus');
  const results = events.flatMap((event) => (event.kind === 'tool-finished' ? [event.result] : []));
  expect(results[0]).toMatchObject({
    outcome: 'done',
    text: expect.stringMatching(/^Renamed to "plus" in 2 file\(s\): app\.ts, math\.ts\nDiagnostics: clean/),
  });
  expect(results[1]?.text).toContain('plus');
  const path = world.workspace.path('app.ts');
  expect((await readText(fork.setup.roots[0].files.overlay(), path)).text).toContain('plus(1, 2)');
  expect(await world.read('app.ts')).toBe(files['app.ts']);
  provider.answer([{ call: 'list_symbols', arguments: { file_path: 'math.ts' } }], [{ text: 'Still add.' }]);
  const seen = await turn(parent, 'What is in math.ts?');
  const [answer] = seen.events.flatMap((event) =>
    event.kind === 'tool-finished' ? [event.result.text] : [],
  );
  expect(answer).toContain('add');
  expect(answer).not.toContain('plus');
});

function begin(): Conversation {
  const { live, workspace, workspaces, sessions } = world;
  const connection = { documents: new OpenedDocuments(), setLogLevel: () => {}, progress: () => {} };
  const code: CodeConnection = {
    context: { workspaces: workspaces.fork(), sessions, log: silentLog, connection },
    tools: catalogue,
    guards: [],
  };
  const judge: Judge = {
    async judge(_workspace, overlay, signal) {
      const request = {
        overlay,
        language: languageId('typescript'),
        scope: 'workspace',
        timeoutMs: 30_000,
      } as const;
      const evaluation = await evaluateOverlay(live, request, signal);
      const problems = (findings: typeof evaluation.introduced) =>
        findings.map(({ path, diagnostic }) => ({
          path,
          line: diagnostic.range.start.line + 1,
          column: diagnostic.range.start.character + 1,
          severity: diagnostic.severity,
          message: diagnostic.message,
        }));
      return {
        verdict: verdictOf(evaluation).kind,
        introduced: problems(evaluation.introduced),
        resolved: problems(evaluation.resolved),
        doubts: evaluation.doubts,
      };
    },
  };
  return Conversation.begin({
    agent: {
      client: scriptedClient(provider, 'openai'),
      model: 'scripted',
      sampling: greedySampling,
      maxTokens: 1024,
      contextTokens: 32_768,
      tools: toolkit(codeTools(catalogue), { assistance: 'none' }),
      assistance: 'none',
      log: silentLog,
    },
    roots: [
      {
        name: basename(workspace.root),
        workspace,
        files: new CommittedFiles({
          begin: () => live.emptyOverlay(),
          commit: (overlay, together, signal) =>
            live.commits.commit(
              overlay,
              { durability: 'process', onConflict: 'refuse', ...together },
              signal,
            ),
        }),
      },
    ],
    permissions: new PermissionGuard({ mode: 'acceptEdits', allow: [], deny: [] }),
    commands: { run: async () => ({ kind: 'boundary', rule: 'none', why: 'There are no commands here.' }) },
    code,
    judge,
    opening: '',
  });
}
