/**
 * The connection through which a conversation calls the tools of the code catalogue.
 *
 * Invariant: a call sees the overlays it was made with. Concurrent calls never see each other's overlays.
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
  /** The id of the agent's call. */
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  /** The views the tool works on. */
  readonly roots: Roots<RootView>;
}

/** Calls a tool on views with the overlays of the call; the answer describes those overlays only. */
export async function callCodeTool(
  { context, tools, guards }: CodeConnection,
  { id, name, arguments: given, roots }: CodeCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  const views = roots.map(async ({ workspace, overlay }) =>
    (await context.workspaces.use(workspace.root, signal)).with(overlay),
  );
  // Symbol names given without a file are resolved in the first root.
  const workspaces = context.workspaces.seeing(await Promise.all(views));
  return dispatch({ ...context, workspaces }, { id, tools, guards, name, arguments: given }, signal);
}

/** The same tools and servers for another conversation. */
export function forkConnection({ context, tools, guards }: CodeConnection): CodeConnection {
  return { context: { ...context, workspaces: context.workspaces.fork() }, tools, guards };
}
