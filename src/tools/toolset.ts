/**
 * The set of tools that a client sees.
 *
 * `full` lists every tool. `core` lists the most used tools and two that make the rest reachable, for clients that
 * pay for the list in every conversation.
 *
 * Invariant: both are derived from the same catalogue, and unlisted tools can still be called by name.
 */

import { coreListing, coreParameters } from './core-listing.ts';
import type { Tool } from './tool.ts';
import { callTool, findTool } from './tool-search.ts';

export const toolsetNames = ['full', 'core'] as const;

export type ToolsetName = (typeof toolsetNames)[number];

export interface Toolset {
  /** The tools the client sees. */
  readonly listed: readonly Tool[];
  /** The tools that can be called. */
  readonly callable: readonly Tool[];
}

export function toolsetOf(name: ToolsetName, tools: readonly Tool[]): Toolset {
  if (name === 'full') return { listed: tools, callable: tools };
  const doors = [findTool(tools)];
  doors.push(callTool([...tools, ...doors]));
  const core = Object.keys(coreParameters).flatMap((wanted) => tools.filter((tool) => tool.name === wanted));
  return { listed: [...core.map(coreListing), ...doors], callable: [...tools, ...doors] };
}
