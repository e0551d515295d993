/**
 * Real coding agents, connected by `forerun init`, against a scripted model: each reads its entry, offers our tools,
 * previews an edit and commits a session. `scripts/provision agents` installs them; one that is absent is skipped by name.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AgentId, agentIds, isProvisioned, prepareAgent, runAgent } from '../support/agent-clients.ts';
import { type AgentStep, agentRequestOf, offeredAs, playSteps } from '../support/agent-model.ts';
import { runProgram } from '../support/built-program.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { isSoak } from '../support/soak.ts';

/** The agents, and the client that `init` connects each as. */
const clients: Readonly<Record<AgentId, string>> = {
  claude: 'claude-code',
  gemini: 'gemini',
  qwen: 'qwen',
  codex: 'codex',
  opencode: 'opencode',
  cline: 'cline',
  cn: 'continue',
};

describe.each(Object.entries(clients))('%s', (name, target) => {
  const agent = agentNamed(name);

  test.skipIf(!isSoak() || !isProvisioned(agent))(
    'reads the entry that init wrote, lists the tools, previews and commits',
    { timeout: 180_000 },
    async ({ signal }) => {
      await using project = await openFixture('ts-two-modules');
      await using provider = await ScriptedProvider.open();
      const home = await realpath(await mkdtemp(join(tmpdir(), 'forerun-agent-')));
      const places = { home, project: project.root, modelUrl: provider.url };
      try {
        await prepareAgent(agent, places);
        const env = { HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' };
        const init = await runProgram(['init', '--target', target], { cwd: project.root, env });
        expect(init).toMatchObject({ code: 0, stderr: '' });
        playSteps(provider, steps(project), 'the script is over');
        const run = await runAgent(agent, places, 'Play the script.', signal);
        expect({ code: run.code, said: run.stdout }, run.stderr).toEqual({
          code: 0,
          said: expect.stringContaining('the script is over'),
        });
        const asked = provider.requests.map(agentRequestOf);
        const { tools = [], results = [] } = asked.find((each) => each.results.length === 4) ?? {};
        for (const tool of ['preview_edit', 'find_tool', 'call_tool']) {
          expect(offeredAs(tools, tool), tool).toBeDefined();
        }
        // The rules that init wrote reach the model too.
        expect(provider.requests.some(({ body }) => body.includes('see what an edit would do'))).toBe(true);
        expect(results[0]).toMatch(/not assignable to type/);
        expect(await project.read('math.ts')).toMatch(/^\/\/ committed by an agent\n/);
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
  );
});

/** A preview that would break, then a session with an edit that would not, and its commit. */
function steps(project: Fixture): readonly AgentStep[] {
  const file_path = project.file('math.ts');
  const start = { start_line: 1, start_column: 1, end_line: 1, end_column: 1 };
  return [
    { tool: 'preview_edit', arguments: () => ({ file_path, ...start, new_text: 'const x: string = 1;\n' }) },
    call('create_simulation_session', () => ({ workspace_root: project.root, language: 'typescript' })),
    {
      tool: 'simulate_chain',
      arguments: (results) => ({
        session_id: sessionIn(results),
        edits: [{ file_path, ...start, new_text: '// committed by an agent\n' }],
      }),
    },
    call('commit_session', (results) => ({ session_id: sessionIn(results), apply: true })),
  ];
}

/** A call of a tool that the core set does not list. */
function call(name: string, given: AgentStep['arguments']): AgentStep {
  return { tool: 'call_tool', arguments: (results) => ({ name, arguments: given(results) }) };
}

/** The session of the last answer. */
function sessionIn(results: readonly string[]): string {
  return /session_id\W+([0-9a-f-]{36})/.exec(results.at(-1) ?? '')?.[1] ?? 'none';
}

function agentNamed(name: string): AgentId {
  const agent = agentIds.find((each) => each === name);
  if (agent === undefined) throw new Error(`no agent ${name}`);
  return agent;
}
