/**
 * The clients that are known, in the order in which they are offered.
 *
 * Invariant: each file is one that the client's current version reads (`test/process/agent-round-trip.test.ts` has
 * those that can be installed show it).
 */
import { join, sep } from 'node:path';
import {
  type ClientTarget,
  type ConfigPlace,
  type EntryShape,
  inApplications,
  inHome,
  inMovedHome,
  inProject,
  type Places,
  plainEntry,
  typedEntry,
} from './client-target.ts';

export function targetNamed(id: string): ClientTarget | undefined {
  return clientTargets.find((target) => target.id === id);
}

const typedServers = { format: 'json', key: 'mcpServers', shape: typedEntry } as const;
const plainServers = { format: 'json', key: 'mcpServers', shape: plainEntry } as const;

/** Not supplied by an extension. */
const zedEntry: EntryShape = (launch) => ({ fields: { source: 'custom', ...plainEntry(launch).fields } });

/** One list holds the command and its arguments. */
const opencodeEntry: EntryShape = ({ command, args }) => ({
  fields: { type: 'local', command: [command, ...args] },
  initial: { enabled: true },
});

const copilotEntry: EntryShape = (launch) => ({
  fields: { type: 'local', ...plainEntry(launch).fields },
  initial: { tools: ['*'] },
});

const gooseEntry: EntryShape = ({ command, args }) => ({
  fields: { name: 'forerun', type: 'stdio', cmd: command, args: [...args] },
  initial: { description: 'What an edit would do before it happens', enabled: true, timeout: 300 },
});

const namedEntry: EntryShape = (launch) => ({ fields: { name: 'forerun', ...plainEntry(launch).fields } });

const cursorHead =
  '---\ndescription: When to ask Forerun before and after an edit\nalwaysApply: true\n---\n\n';

const sharedRules = { file: inProject('AGENTS.md'), audience: 'any' } as const;

/** Settings of an extension of VS Code, written where that extension is installed. */
function extensionSettings(extension: string, file: string): ConfigPlace {
  const parts = ['Code', 'User', 'globalStorage', extension, 'settings', file];
  return { file: inApplications(...parts), ...typedServers, when: 'its directory exists' };
}

function clineSettings({ home, variable }: Places): string {
  const directory = variable('CLINE_DATA_DIR') ?? join(variable('CLINE_DIR') ?? join(home, '.cline'), 'data');
  return variable('CLINE_MCP_SETTINGS_PATH') ?? join(directory, 'settings', 'cline_mcp_settings.json');
}

function gooseSettings({ home, platform, applications, variable }: Places): string {
  if (platform === 'win32') return join(applications, 'Block', 'goose', 'config', 'config.yaml');
  return join(variable('XDG_CONFIG_HOME') ?? join(home, '.config'), 'goose', 'config.yaml');
}

function zedSettings({ home, platform, applications }: Places): string {
  const directory = platform === 'win32' ? join(applications, 'Zed') : join(home, '.config', 'zed');
  return join(directory, 'settings.json');
}

export const clientTargets: readonly ClientTarget[] = [
  {
    id: 'claude-code',
    name: 'Claude Code, this project',
    configs: [[{ file: inProject('.mcp.json'), ...typedServers }]],
    rules: { file: inProject('CLAUDE.md'), audience: 'claude' },
    next: 'Start Claude Code here, approve the server, and see /mcp.',
  },
  {
    id: 'claude-code-global',
    name: 'Claude Code, every project',
    configs: [
      [{ file: inHome('.claude.json'), ...typedServers }],
      [{ file: inHome('.claude', '.mcp.json'), ...typedServers }],
    ],
    rules: { file: inHome('.claude', 'CLAUDE.md'), audience: 'claude' },
    next: 'Restart Claude Code and see /mcp.',
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    configs: [[{ file: inApplications('Claude', 'claude_desktop_config.json'), ...typedServers }]],
    next: 'Restart Claude Desktop.',
  },
  {
    id: 'cursor',
    name: 'Cursor',
    configs: [[{ file: inProject('.cursor', 'mcp.json'), ...typedServers }]],
    rules: { file: inProject('.cursor', 'rules', 'forerun.mdc'), audience: 'any', head: cursorHead },
    next: 'Reload Cursor and enable the server under Settings, MCP.',
  },
  {
    id: 'cline',
    name: 'Cline',
    configs: [
      [{ file: clineSettings, ...typedServers }],
      [extensionSettings('saoudrizwan.claude-dev', 'cline_mcp_settings.json')],
    ],
    former: [{ file: inProject('.vscode', 'cline_mcp_settings.json'), ...typedServers }],
    rules: { file: inProject(`.clinerules${sep}`), audience: 'any' },
    next: 'Start cline here, or reload the window and see the MCP servers in Cline.',
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    configs: [[{ file: inHome('.codeium', 'windsurf', 'mcp_config.json'), ...typedServers }]],
    rules: { file: inHome('.windsurfrules'), audience: 'any' },
    next: 'Refresh the MCP servers in Windsurf.',
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    configs: [[{ file: inProject('.gemini', 'settings.json'), ...typedServers }]],
    rules: { file: inProject('GEMINI.md'), audience: 'any' },
    next: 'Start gemini here and see /mcp.',
  },
  {
    id: 'vscode',
    name: 'VS Code',
    configs: [[{ file: inProject('.vscode', 'mcp.json'), ...typedServers, key: 'servers' }]],
    rules: { file: inProject('.github', 'copilot-instructions.md'), audience: 'any' },
    next: 'Run "MCP: List Servers" in VS Code and start forerun.',
  },
  {
    id: 'codex',
    name: 'Codex',
    configs: [
      [
        {
          file: inMovedHome('CODEX_HOME', '.codex', 'config.toml'),
          format: 'toml',
          key: 'mcp_servers',
          shape: plainEntry,
        },
      ],
    ],
    rules: { file: inMovedHome('CODEX_HOME', '.codex', 'AGENTS.md'), audience: 'any' },
    next: 'Start codex and see /mcp.',
  },
  {
    id: 'zed',
    name: 'Zed',
    // Zed reads only the first rules file it finds, so another one could hide the project's own.
    configs: [[{ file: zedSettings, format: 'json', key: 'context_servers', shape: zedEntry }]],
    next: 'Open the agent panel settings in Zed; the server is listed there.',
  },
  {
    id: 'continue',
    name: 'Continue',
    configs: [
      [
        // Its command line reads the user's file alone; its extensions read both.
        {
          file: inMovedHome('CONTINUE_GLOBAL_DIR', '.continue', 'config.yaml'),
          format: 'yaml-list',
          key: 'mcpServers',
          shape: namedEntry,
        },
        { file: inProject('.continue', 'mcpServers', 'forerun.json'), ...typedServers },
      ],
    ],
    rules: { file: inProject('.continue', 'rules', 'forerun.md'), audience: 'any' },
    next: 'Start cn here, or reload the window; Continue offers the tools in agent mode.',
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    configs: [[{ file: inProject('.qwen', 'settings.json'), ...typedServers }]],
    rules: { file: inProject('QWEN.md'), audience: 'any' },
    next: 'Start qwen here and see /mcp.',
  },
  {
    id: 'opencode',
    name: 'opencode',
    configs: [
      ['opencode.jsonc', 'opencode.json'].map((name) => ({
        file: inProject(name),
        format: 'json',
        key: 'mcp',
        shape: opencodeEntry,
      })),
    ],
    rules: sharedRules,
    next: 'Start opencode here; opencode mcp list shows the server.',
  },
  {
    id: 'crush',
    name: 'Crush',
    configs: [
      ['.crush.json', 'crush.json'].map((name) => ({
        file: inProject(name),
        format: 'json',
        key: 'mcp',
        shape: typedEntry,
      })),
    ],
    rules: sharedRules,
    next: 'Start crush here; its sidebar lists the server.',
  },
  {
    id: 'goose',
    name: 'Goose',
    configs: [[{ file: gooseSettings, format: 'yaml', key: 'extensions', shape: gooseEntry }]],
    rules: sharedRules,
    next: 'Start a new goose session.',
  },
  {
    id: 'amp',
    name: 'Amp',
    configs: [
      ['settings.jsonc', 'settings.json'].map((name) => ({
        file: inProject('.amp', name),
        format: 'json',
        key: 'amp.mcpServers',
        shape: plainEntry,
      })),
    ],
    rules: sharedRules,
    next: 'Start amp here and approve the server.',
  },
  {
    id: 'roo',
    name: 'Roo Code',
    configs: [[{ file: inProject('.roo', 'mcp.json'), ...plainServers }]],
    rules: { file: inProject('.roo', 'rules', 'forerun.md'), audience: 'any' },
    next: 'Reload the window and see the MCP servers in Roo Code.',
  },
  {
    id: 'jetbrains',
    name: 'JetBrains Junie',
    configs: [[{ file: inProject('.junie', 'mcp', 'mcp.json'), ...plainServers }]],
    rules: sharedRules,
    next: 'See the MCP settings of Junie. AI Assistant has no such file: paste the entry under Settings, Tools, AI Assistant, MCP.',
  },
  {
    id: 'copilot',
    name: 'GitHub Copilot CLI',
    configs: [
      [
        {
          file: inMovedHome('COPILOT_HOME', '.copilot', 'mcp-config.json'),
          format: 'json',
          key: 'mcpServers',
          shape: copilotEntry,
        },
      ],
    ],
    rules: { file: inProject('.github', 'copilot-instructions.md'), audience: 'any' },
    next: 'Start copilot and see /mcp show.',
  },
];
