/**
 * The clients that can be set up, as data: which file contains the entry, where in it, and in which shape.
 *
 * Invariant: an id never changes; `uninstall` finds everything a target wrote through the same data.
 */
import { join } from 'node:path';

export interface ClientTarget {
  readonly id: string;
  readonly name: string;
  readonly configs: readonly ConfigPlace[];
  readonly rules?: RulesPlace;
  /** The user's next step. */
  readonly next: string;
}

/** The directories of this machine and user. */
export interface Places {
  readonly home: string;
  readonly project: string;
  /** The directory of application settings on this system. */
  readonly applications: string;
  readonly platform: NodeJS.Platform;
}

export interface ConfigPlace {
  readonly file: (places: Places) => string;
  readonly format: 'json' | 'toml';
  /** The object with one entry per server. */
  readonly key: string;
  readonly shape: EntryShape;
  /** A file of a client that may not be installed is written only if its directory exists. */
  readonly when?: 'its directory exists';
}

/** `typed` marks the entry as a local process, `custom` as not supplied by an extension. */
type EntryShape = 'plain' | 'typed' | 'custom';

interface RulesPlace {
  readonly file: (places: Places) => string;
  /** Agents with their own editing tools get advice which of ours to prefer. */
  readonly audience: 'claude' | 'any';
  /** The beginning of a new file. */
  readonly head?: string;
}

/** How the client starts the program. */
export interface ClientLaunch {
  readonly command: string;
  readonly args: readonly string[];
}

export function clientEntryOf(
  shape: EntryShape,
  { command, args }: ClientLaunch,
): Readonly<Record<string, unknown>> {
  const words = { command, args: [...args] };
  if (shape === 'typed') return { type: 'stdio', ...words };
  return shape === 'custom' ? { source: 'custom', ...words } : words;
}

export function targetNamed(id: string): ClientTarget | undefined {
  return clientTargets.find((target) => target.id === id);
}

/** A file given by the user, in the shape that most clients share. */
export function customTarget(file: string): ClientTarget {
  return {
    id: 'custom',
    name: 'Custom path',
    configs: [{ file: () => file, format: file.endsWith('.toml') ? 'toml' : 'json', ...customEntry(file) }],
    next: 'Restart the client that reads this file.',
  };
}

function customEntry(file: string): Pick<ConfigPlace, 'key' | 'shape'> {
  return file.endsWith('.toml') ? codexEntry : { key: 'mcpServers', shape: 'typed' };
}

const inProject =
  (...parts: readonly string[]) =>
  ({ project }: Places): string =>
    join(project, ...parts);

const inHome =
  (...parts: readonly string[]) =>
  ({ home }: Places): string =>
    join(home, ...parts);

const inApplications =
  (...parts: readonly string[]) =>
  ({ applications }: Places): string =>
    join(applications, ...parts);

const typedServers = { format: 'json', key: 'mcpServers', shape: 'typed' } as const;
const codexEntry = { key: 'mcp_servers', shape: 'plain' } as const;

const cursorHead =
  '---\ndescription: When to ask Forerun before and after an edit\nalwaysApply: true\n---\n\n';

/** In the order in which they are offered. */
export const clientTargets: readonly ClientTarget[] = [
  {
    id: 'claude-code',
    name: 'Claude Code, this project',
    configs: [{ file: inProject('.mcp.json'), ...typedServers }],
    rules: { file: inProject('CLAUDE.md'), audience: 'claude' },
    next: 'Start Claude Code here, approve the server, and see /mcp.',
  },
  {
    id: 'claude-code-global',
    name: 'Claude Code, every project',
    configs: [
      { file: inHome('.claude.json'), ...typedServers },
      { file: inHome('.claude', '.mcp.json'), ...typedServers },
    ],
    rules: { file: inHome('.claude', 'CLAUDE.md'), audience: 'claude' },
    next: 'Restart Claude Code and see /mcp.',
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    configs: [{ file: inApplications('Claude', 'claude_desktop_config.json'), ...typedServers }],
    next: 'Restart Claude Desktop.',
  },
  {
    id: 'cursor',
    name: 'Cursor',
    configs: [{ file: inProject('.cursor', 'mcp.json'), ...typedServers }],
    rules: { file: inProject('.cursor', 'rules', 'forerun.mdc'), audience: 'any', head: cursorHead },
    next: 'Reload Cursor and enable the server under Settings, MCP.',
  },
  {
    id: 'cline',
    name: 'Cline',
    configs: [
      { file: inProject('.vscode', 'cline_mcp_settings.json'), ...typedServers },
      {
        file: inApplications(
          ...['Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings'],
          'cline_mcp_settings.json',
        ),
        ...typedServers,
        when: 'its directory exists',
      },
    ],
    rules: { file: inProject('.clinerules'), audience: 'any' },
    next: 'Reload the window and see the MCP servers in Cline.',
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    configs: [{ file: inHome('.codeium', 'windsurf', 'mcp_config.json'), ...typedServers }],
    rules: { file: inHome('.windsurfrules'), audience: 'any' },
    next: 'Refresh the MCP servers in Windsurf.',
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    configs: [{ file: inProject('.gemini', 'settings.json'), ...typedServers }],
    rules: { file: inProject('GEMINI.md'), audience: 'any' },
    next: 'Start gemini here and see /mcp.',
  },
  {
    id: 'vscode',
    name: 'VS Code',
    configs: [{ file: inProject('.vscode', 'mcp.json'), ...typedServers, key: 'servers' }],
    rules: { file: inProject('.github', 'copilot-instructions.md'), audience: 'any' },
    next: 'Run "MCP: List Servers" in VS Code and start forerun.',
  },
  {
    id: 'codex',
    name: 'Codex',
    configs: [{ file: inHome('.codex', 'config.toml'), format: 'toml', ...codexEntry }],
    rules: { file: inHome('.codex', 'AGENTS.md'), audience: 'any' },
    next: 'Start codex and see /mcp.',
  },
  {
    id: 'zed',
    name: 'Zed',
    // Zed reads only the first rules file it finds, so another one could hide the project's own.
    configs: [
      {
        file: (places) =>
          places.platform === 'win32'
            ? join(places.applications, 'Zed', 'settings.json')
            : join(places.home, '.config', 'zed', 'settings.json'),
        format: 'json',
        key: 'context_servers',
        shape: 'custom',
      },
    ],
    next: 'Open the agent panel settings in Zed; the server is listed there.',
  },
  {
    id: 'continue',
    name: 'Continue',
    configs: [{ file: inProject('.continue', 'mcpServers', 'forerun.json'), ...typedServers }],
    rules: { file: inProject('.continue', 'rules', 'forerun.md'), audience: 'any' },
    next: 'Reload the window; Continue offers the tools in agent mode.',
  },
];
