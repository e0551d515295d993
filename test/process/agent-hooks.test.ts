/**
 * Real coding agents with our hooks, against a scripted model that makes a breaking edit with the agent's own tools: it
 * is warned of, denied, or sent back at the end of its turn. `scripts/provision agents` installs the agents; one that is
 * absent is skipped by name. Minutes each, so they run under `npm run test:soak` only.
 */
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HookMode } from '../../src/cli/hook/hook-judgement.ts';
import { hookTargets } from '../../src/cli/setup/hook-target.ts';
import {
  type AgentId,
  type AgentPlaces,
  isProvisioned,
  prepareAgent,
  runAgent,
} from '../support/agent-clients.ts';
import { playSteps } from '../support/agent-model.ts';
import { runProgram } from '../support/built-program.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { isSoak } from '../support/soak.ts';

interface HookedAgent {
  readonly agent: AgentId;
  /** Its id among the targets of `init`. */
  readonly target: string;
  readonly modes: readonly HookMode[];
  /** Has the model make the edit, then end its turn. */
  readonly script: (provider: ScriptedProvider, project: Fixture) => void;
  /** Settings that have nothing to do with hooks. */
  readonly prepare?: (places: AgentPlaces) => Promise<void>;
}

const [before, after] = ['add(a: number, b: number)', 'add(a: string, b: number)'];

const replacing = (file_path: string) => ({ file_path, old_string: before, new_string: after });

/** Calls of tools, one after the other. */
function calls(
  ...steps: readonly (readonly [tool: string, given: (file: string) => Readonly<Record<string, string>>])[]
): HookedAgent['script'] {
  return (provider, project) => {
    const file = project.file('math.ts');
    playSteps(
      provider,
      steps.map(([tool, given]) => ({ tool, arguments: () => ({ ...given(file) }) })),
    );
  };
}

const agents: readonly HookedAgent[] = [
  {
    agent: 'claude',
    target: 'claude-code',
    modes: ['warn', 'deny', 'turn'],
    script: calls(['Read', (file_path) => ({ file_path })], ['Edit', replacing]),
    prepare: async ({ home }) =>
      writeFile(join(home, '.claude/settings.json'), '{"permissions": {"defaultMode": "acceptEdits"}}'),
  },
  {
    agent: 'gemini',
    target: 'gemini',
    modes: ['warn', 'deny', 'turn'],
    script: calls(['replace', (file) => ({ ...replacing(file), instruction: 'Take text.' })]),
  },
  {
    agent: 'qwen',
    target: 'qwen',
    modes: ['warn', 'deny', 'turn'],
    script: calls(['read_file', (file_path) => ({ file_path })], ['edit', replacing]),
  },
  {
    agent: 'codex',
    target: 'codex',
    modes: ['warn', 'deny', 'turn'],
    script: patchOnce,
    async prepare({ home }) {
      const file = join(home, '.codex/config.toml');
      const text = await readFile(file, 'utf8');
      // It offers its patch tool to models that it knows, and waits here for no server.
      const known = text
        .replace('model = "scripted"', 'model = "gpt-5.5"')
        .replace(/\[mcp_servers[\s\S]*/, '');
      await writeFile(file, known);
    },
  },
  {
    agent: 'opencode',
    target: 'opencode',
    // `opencode run` ends with the turn, so a turn cannot be taken up again.
    modes: ['warn', 'deny'],
    script: calls(
      ['read', (filePath) => ({ filePath })],
      ['edit', (filePath) => ({ filePath, oldString: before, newString: after })],
    ),
  },
];

/** What the model is told, and whether the edit is on disk at the end. */
const expected: Readonly<Record<HookMode, { readonly told: RegExp; readonly isWritten: boolean }>> = {
  warn: { told: /this edit introduce[sd] \d+ errors?\. Fix them/, isWritten: true },
  deny: { told: /This edit would introduce \d+ errors?; nothing was written/, isWritten: false },
  turn: { told: /the edits of this turn introduced \d+ errors?/, isWritten: true },
};

describe.each(agents)('$agent', (hooked) => {
  test.skipIf(!isSoak() || !isProvisioned(hooked.agent)).each(hooked.modes)(
    'a breaking edit, in mode %s',
    { timeout: 180_000 },
    async (mode) => {
      await using project = await openFixture('ts-two-modules');
      await using provider = await ScriptedProvider.open();
      const home = await realpath(await mkdtemp(join(tmpdir(), 'forerun-agent-')));
      const places = { home, project: project.root, modelUrl: provider.url };
      try {
        await prepareAgent(hooked.agent, places);
        await writeHooks(hooked.target, mode, places);
        await hooked.prepare?.(places);
        hooked.script(provider, project);
        const run = await runAgent(hooked.agent, places, 'Play the script.', AbortSignal.timeout(150_000));
        const told = provider.requests.map(({ body }) => body).join('\n');
        expect(told, `${run.stdout}\n${run.stderr}`).toMatch(expected[mode].told);
        expect(told).toMatch(/math\.ts:2:3 Type 'string' is not assignable to type 'number'/);
        expect((await project.read('math.ts')).includes(after)).toBe(expected[mode].isWritten);
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    },
  );
});

/** As `init --hooks` writes them, with time for a busy machine. */
async function writeHooks(id: string, mode: HookMode, places: AgentPlaces): Promise<void> {
  const { home, project } = places;
  const env = { HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' };
  const init = await runProgram(['init', '--target', id, '--hooks', mode], { cwd: project, env });
  expect(init).toMatchObject({ code: 0, stderr: '' });
  const file = hookTargets.find((each) => each.id === id)?.file(places);
  if (file === undefined) throw new Error(`no hooks for ${id}`);
  const written = await readFile(file, 'utf8');
  // As words of a command, or of a list in a plugin.
  const text = written
    .replaceAll(`--mode ${mode}`, `--mode ${mode} --deadline 50000`)
    .replaceAll(`"--mode","${mode}"`, `"--mode","${mode}","--deadline","50000"`);
  expect(text).not.toBe(written);
  await writeFile(file, text);
}

/** The patch tool of Codex takes text, not JSON; the call is written as its wire has it. */
function patchOnce(provider: ScriptedProvider): void {
  const input = [
    '*** Begin Patch',
    '*** Update File: math.ts',
    '@@',
    `-export function ${before}: number {`,
    `+export function ${after}: number {`,
    '*** End Patch',
    '',
  ].join('\n');
  const item = {
    type: 'custom_tool_call',
    id: 'ctc_1',
    call_id: 'call_1',
    name: 'apply_patch',
    input,
    status: 'completed',
  };
  const event = { type: 'response.output_item.done', output_index: 0, item };
  provider.script(({ body }) =>
    body.includes('custom_tool_call_output')
      ? [{ text: 'done' }]
      : [{ raw: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n` }],
  );
}
