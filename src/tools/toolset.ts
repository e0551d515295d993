/**
 * How much of the catalogue a client is shown.
 *
 * `full` lists every tool. `core` lists what most work needs and two tools that lead to the rest, for clients whose
 * every conversation pays for the list.
 *
 * Invariant: both derive from the same catalogue, and whatever is not listed still answers to its name.
 */

import type { Tool } from './tool.ts';
import { callTool, findTool } from './tool-search.ts';

export const toolsetNames = ['full', 'core'] as const;

export type ToolsetName = (typeof toolsetNames)[number];

export interface Toolset {
  /** What the client is shown. */
  readonly listed: readonly Tool[];
  /** What answers when called. */
  readonly callable: readonly Tool[];
}

export function toolsetOf(name: ToolsetName, tools: readonly Tool[]): Toolset {
  if (name === 'full') return { listed: tools, callable: tools };
  const doors = [findTool(tools)];
  doors.push(callTool([...tools, ...doors]));
  const core = coreNames.flatMap((wanted) => tools.filter((tool) => tool.name === wanted));
  // A second name of the same tool says nothing new.
  const once = core.map((tool) => ({ ...tool, listedAliases: [] }));
  return { listed: [...once, ...doors], callable: [...tools, ...doors] };
}

/** What an agent reaches for in most tasks: look, ask what would happen, change, check. */
export const coreNames: readonly string[] = [
  'preview_edit',
  'simulate_chain',
  'safe_apply_edit',
  'get_diagnostics',
  'inspect_symbol',
  'list_symbols',
  'find_symbol',
  'find_references',
  'go_to_definition',
  'find_callers',
  'blast_radius',
  'rename_symbol',
];
