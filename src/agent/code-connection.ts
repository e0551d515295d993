/**
 * The connection through which a conversation calls the tools that know the code.
 *
 * Invariant: a call sees the overlays it was made with; two calls at the same time never see each other's.
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
  /** What the tool sees. */
  readonly roots: Roots<RootView>;
}

/** Calls a tool on views with the overlays of the call: what it answers is about them and nothing else. */
export async function callCodeTool(
  { context, tools, guards }: CodeConnection,
  { id, name, arguments: given, roots }: CodeCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  const views = roots.map(async ({ workspace, overlay }) =>
    (await context.workspaces.use(workspace.root, signal)).with(overlay),
  );
  // Names without a file are looked for in the first root.
  const workspaces = context.workspaces.seeing(await Promise.all(views));
  return dispatch({ ...context, workspaces }, { id, tools, guards, name, arguments: given }, signal);
}

/** The same tools and servers for another conversation. */
export function forkConnection({ context, tools, guards }: CodeConnection): CodeConnection {
  return { context: { ...context, workspaces: context.workspaces.fork() }, tools, guards };
}
