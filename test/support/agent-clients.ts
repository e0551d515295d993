/**
 * Real coding agents, as `scripts/provision agents` installs them, made to ask a scripted model.
 *
 * Invariant: an agent gets a home of its own and nothing of this machine's user; whatever it would send elsewhere than
 * to loopback goes to a closed port.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { type CommandResult, runCommand } from '../../src/process/run-command.ts';
import { provisionedAgents } from './provisioned.ts';

export const agentIds = ['claude', 'gemini', 'qwen', 'codex', 'opencode', 'cline', 'cn'] as const;

export type AgentId = (typeof agentIds)[number];

/** Where an agent runs, and the address of its model. */
export interface AgentPlaces {
  readonly home: string;
  readonly project: string;
  readonly modelUrl: string;
}

interface AgentSetup {
  /** Files of its user, by their path from the home directory, that lead it to the model. */
  readonly files?: (places: AgentPlaces) => Readonly<Record<string, string>>;
  readonly env?: (places: AgentPlaces) => Readonly<Record<string, string>>;
  /** Has it do one task without a question. */
  readonly words: (task: string, places: AgentPlaces) => readonly string[];
}

export function programOf(agent: AgentId | 'node'): string {
  return join(provisionedAgents, agent, 'node_modules', '.bin', agent);
}

export function isProvisioned(agent: AgentId): boolean {
  return existsSync(join(provisionedAgents, agent, 'ready'));
}

/** Writes the files that lead the agent to the model. Entries of ours come later, into the same files. */
export async function prepareAgent(agent: AgentId, places: AgentPlaces): Promise<void> {
  for (const [path, text] of Object.entries(setups[agent].files?.(places) ?? {})) {
    await mkdir(dirname(join(places.home, path)), { recursive: true });
    await writeFile(join(places.home, path), text);
  }
}

/** Runs the agent on one task, to its end. */
export function runAgent(
  agent: AgentId,
  places: AgentPlaces,
  task: string,
  signal: AbortSignal,
): Promise<CommandResult> {
  const command = [programOf(agent), ...setups[agent].words(task, places)];
  const limits = { timeoutMs: 120_000, maxOutputBytes: 1 << 20 };
  return runCommand({ command, cwd: places.project, env: environmentOf(agent, places), ...limits }, signal);
}

/** The closed port: nothing listens on it. */
const nowhere = 'http://127.0.0.1:9';

function environmentOf(agent: AgentId, places: AgentPlaces): Readonly<Record<string, string>> {
  const newerNode = dirname(programOf('node'));
  return {
    HOME: places.home,
    PATH: [newerNode, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: '127.0.0.1,localhost',
    DO_NOT_TRACK: '1',
    // The program itself, which the agent starts, leaves no trace on this machine.
    FORERUN_AUDIT_LOG: 'off',
    FORERUN_CACHE_DIR: 'off',
    FORERUN_DAEMON: 'off',
    ...setups[agent].env?.(places),
  };
}

const setups: Readonly<Record<AgentId, AgentSetup>> = {
  claude: {
    // Servers of a project are asked about on a terminal; here the user has agreed before.
    files: () => ({ '.claude/settings.json': JSON.stringify({ enableAllProjectMcpServers: true }) }),
    env: ({ modelUrl }) => ({
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'sk-scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Tools are offered with the first request, not after a wait or a search for them.
      MCP_CONNECTION_NONBLOCKING: 'false',
      ENABLE_TOOL_SEARCH: 'false',
    }),
    words: (task) => ['-p', task, '--allowedTools', 'mcp__forerun', '--output-format', 'text'],
  },
  gemini: {
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
      }),
    }),
    env: ({ modelUrl }) => ({
      GEMINI_API_KEY: 'scripted',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
    words: (task) => ['-p', task, '--yolo', '-m', 'gemini-2.5-pro'],
  },
  qwen: {
    files: () => ({
      '.qwen/settings.json': JSON.stringify({
        tools: { toolSearch: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      }),
    }),
    env: ({ modelUrl }) => ({
      OPENAI_API_KEY: 'scripted',
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_MODEL: 'scripted',
    }),
    words: (task) => ['-p', task, '--yolo', '--auth-type', 'openai'],
  },
  codex: {
    files: ({ modelUrl }) => ({
      '.codex/config.toml': [
        'model = "scripted"',
        'model_provider = "scripted"',
        '',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${modelUrl}/v1"`,
        'wire_api = "responses"',
        '',
        // The first request waits for the server; the entry itself comes later, into the same table.
        '[mcp_servers.forerun]',
        'command = "nothing"',
        'required = true',
        '',
      ].join('\n'),
    }),
    words: (task) => [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      // Hooks run without being reviewed on a terminal first.
      '--dangerously-bypass-hook-trust',
      task,
    ],
  },
  opencode: {
    files: ({ modelUrl }) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'scripted/scripted',
        small_model: 'scripted/scripted',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'scripted' },
            models: { scripted: { tool_call: true } },
          },
        },
      }),
    }),
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    words: (task) => ['run', task],
  },
  cline: {
    files: ({ modelUrl }) => ({
      '.cline/data/settings/providers.json': JSON.stringify({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: {
              provider: 'openai-compatible',
              apiKey: 'scripted',
              model: 'scripted',
              baseUrl: `${modelUrl}/v1`,
            },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
    }),
    // Without it, a process that serves every run of this user is left behind.
    env: () => ({ CLINE_SESSION_BACKEND_MODE: 'local' }),
    words: (task) => ['--auto-approve', 'true', task],
  },
  cn: {
    files: ({ modelUrl }) => ({
      '.continue/config.yaml': [
        'name: scripted # the only model',
        'version: 0.0.1',
        'schema: v1',
        'models:',
        '  - name: scripted',
        '    provider: openai',
        '    model: gpt-4o',
        `    apiBase: ${modelUrl}/v1`,
        '    apiKey: scripted',
        '    roles: [chat]',
        '    capabilities: [tool_use]',
        '',
      ].join('\n'),
    }),
    env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_METRICS_ENABLED: '0' }),
    words: (task) => ['-p', task, '--auto'],
  },
};
