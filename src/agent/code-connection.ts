/**
 * The connection through which a conversation calls the tools that know the code.
 *
 * Invariant: it belongs to one conversation alone, because it is shown that conversation's overlay in place of the disk.
 */
import { dispatch } from '../tools/dispatch.ts';
import type { Guard } from '../tools/guard.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import type { ToolResult } from '../tools/tool-result.ts';
import type { Roots, RootView } from './files/agent-root.ts';

export interface CodeConnection {
  readonly context: ToolContext;
  readonly tools: readonly Tool[];
  readonly guards: readonly Guard[];
}

export interface CodeCall {
  readonly name: string;
  readonly arguments: unknown;
  /** What the tool sees. */
  readonly roots: Roots<RootView>;
}

/** Calls a tool on the overlay: it is laid over the disk as unsaved buffers are, which every tool sees. */
export async function callCodeTool(
  { context, tools, guards }: CodeConnection,
  { name, arguments: given, roots }: CodeCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  // The last one opened is where names without a file are looked for.
  for (const { workspace, overlay } of roots.toReversed()) {
    const { executor } = await context.workspaces.open(workspace.root, signal);
    executor.setBuffers(overlay);
  }
  return dispatch(context, { tools, guards, name, arguments: given }, signal);
}

/** The same tools and servers for another conversation. */
export function forkConnection({ context, tools, guards }: CodeConnection): CodeConnection {
  return { context: { ...context, workspaces: context.workspaces.forConnection() }, tools, guards };
}
