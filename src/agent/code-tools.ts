/**
 * The tools of the catalogue that the agent gets, each as it is defined there.
 *
 * Invariant: an answer describes the overlay of the call. A rename answers with an edit, which is judged and
 * committed like any other change of the agent.
 */
import { applyWorkspaceEdit, parseWorkspaceEdit } from '../overlay/workspace-edit.ts';
import type { CallSubject } from '../tools/call-subject.ts';
import type { PreparedCall, Tool } from '../tools/tool.ts';
import { type ToolResult, textResult } from '../tools/tool-result.ts';
import { comparePaths } from '../workspace/workspace-path.ts';
import type { AgentContext, AgentTool } from './agent-context.ts';
import { callCodeTool } from './code-connection.ts';
import { BadCall } from './failure.ts';
import { type AnchoredPath, anchored, anchorPath } from './files/path-anchor.ts';

/** Their names, in the order the model sees them. */
const codeToolNames: readonly string[] = [
  'get_diagnostics',
  'list_symbols',
  'inspect_symbol',
  'find_symbol',
  'go_to_definition',
  'find_references',
  'find_callers',
  'blast_radius',
  'rename_symbol',
];

export function codeTools(catalogue: readonly Tool[]): readonly AgentTool[] {
  return codeToolNames.flatMap((name) => {
    const tool = catalogue.find((each) => each.name === name);
    if (!tool) return [];
    return [name === 'rename_symbol' ? renameTool(tool) : readingTool(tool)];
  });
}

function readingTool(tool: Tool): AgentTool {
  return agentTool(tool, ({ input, ...prepared }) => ({
    ...prepared,
    input,
    subject: (context) => subjectOf(context, input),
    run: (context, signal) => called(context, { tool, input }, signal),
  }));
}

/**
 * The server computes the rename, and the tool answers with an overlay. The catalogue's own tool would write to disk.
 */
function renameTool(tool: Tool): AgentTool {
  return agentTool(tool, ({ input, ...prepared }) => ({
    ...prepared,
    input,
    effect: input.dry_run === true ? 'reads' : 'overlay',
    subject: (context) => subjectOf(context, input),
    run: async (context, signal) => {
      const result = await called(context, { tool, input: { ...input, dry_run: true } }, signal);
      return result.isError || input.dry_run === true ? result : renamed(context, input, result);
    },
  }));
}

async function renamed(
  context: AgentContext,
  input: ToolInput,
  { payload, meta }: ToolResult,
): Promise<ToolResult> {
  if (payload.kind === 'text') return { payload, isError: true };
  const [at] = await filesOf(context, input);
  const value: unknown = payload.value;
  if (!at || typeof value !== 'object' || value === null || !('workspace_edit' in value)) {
    throw new BadCall('the rename returned no edit', 'Try again, or edit the uses one by one.');
  }
  const { root } = at;
  const edit = parseWorkspaceEdit(value.workspace_edit);
  const overlay = await applyWorkspaceEdit(root.workspace, root.overlay, edit);
  const before = root.overlay.layer();
  const touched = [...overlay.layer()].filter(([path, entry]) => before.get(path) !== entry);
  const shown = touched.map(([path]) => anchored(context.roots, root, path).shown).sort(comparePaths);
  const doubt = meta?.incomplete === undefined ? '' : '\nSome files that may use the name were not searched.';
  return textResult(
    `Renamed to "${input.new_name}" in ${shown.length} file(s): ${shown.join(', ')}${doubt}`,
    {
      change: { workspace: root.workspace, overlay, shown },
    },
  );
}

type ToolInput = PreparedCall['input'];

/** A catalogue tool whose calls run in the context of a conversation. */
function agentTool(tool: Tool, prepared: (call: PreparedCall) => PreparedCall<AgentContext>): AgentTool {
  return { ...tool, prepare: (given) => prepared(tool.prepare(given)) };
}

async function called(
  context: AgentContext,
  { tool, input }: { readonly tool: Tool; readonly input: ToolInput },
  signal: AbortSignal,
): Promise<ToolResult> {
  const { callId, code, roots } = context;
  if (!code) throw new BadCall('there is no language server here', 'Use Grep and Read instead.');
  const call = { id: callId, name: tool.name, arguments: await anchoredInput(context, input), roots };
  return callCodeTool(code, call, signal);
}

/** Catalogue tools need absolute paths, and models write relative ones. */
async function anchoredInput({ roots }: AgentContext, input: ToolInput): Promise<ToolInput> {
  const { file_path, changed_files } = input;
  const whole = async (path: unknown): Promise<unknown> =>
    typeof path === 'string' && path !== '' ? (await anchorPath(roots, path)).absolute : path;
  return {
    ...input,
    ...(file_path !== undefined && { file_path: await whole(file_path) }),
    ...(Array.isArray(changed_files) && { changed_files: await Promise.all(changed_files.map(whole)) }),
  };
}

async function subjectOf(context: AgentContext, input: ToolInput): Promise<CallSubject> {
  const paths = await filesOf(context, input);
  return paths.length > 0 ? { kind: 'paths', paths } : { kind: 'none' };
}

async function filesOf({ roots }: AgentContext, input: ToolInput): Promise<readonly AnchoredPath[]> {
  const { file_path, changed_files } = input;
  const named = [file_path, ...(Array.isArray(changed_files) ? changed_files : [])];
  const paths = named.filter((path) => typeof path === 'string' && path !== '');
  return Promise.all(paths.map((path) => anchorPath(roots, String(path))));
}
