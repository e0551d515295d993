/**
 * The tools that know the code, given to the agent: a chosen few of the catalogue, each as it is defined there.
 *
 * Invariant: whatever they answer is about the overlay of the call. A rename answers its edit, which goes the way of
 * every other change of the agent.
 */
import type { JsonObject, JsonValue } from '../model/json-value.ts';
import { applyWorkspaceEdit, parseWorkspaceEdit } from '../overlay/workspace-edit.ts';
import type { CallSubject } from '../tools/call-subject.ts';
import type { Tool } from '../tools/tool.ts';
import { contentOf, type ToolResult } from '../tools/tool-result.ts';
import { comparePaths } from '../workspace/workspace-path.ts';
import {
  type AgentTool,
  type AgentToolContext,
  declaredSchema,
  done,
  type PreparedCall,
  type ToolOutcome,
} from './agent-tool.ts';
import { callCodeTool } from './code-connection.ts';
import { BadCall } from './failure.ts';
import { type AnchoredPath, anchored, anchorPath } from './files/path-anchor.ts';

/** Which of them, in the order the model is shown. */
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
  return agentTool(tool, (input) => ({
    input,
    effect: tool.prepare(input).effect,
    subject: (context) => subjectOf(context, input),
    run: async (context, signal) => outcomeOf(await called(context, tool, input, signal)),
  }));
}

/** A rename is worked out, not written. */
function renameTool(tool: Tool): AgentTool {
  return agentTool(tool, (input) => {
    tool.prepare(input);
    return {
      input,
      effect: input.dry_run === true ? 'reads' : 'overlay',
      subject: (context) => subjectOf(context, input),
      run: async (context, signal) => {
        const result = await called(context, tool, { ...input, dry_run: true }, signal);
        if (result.isError || input.dry_run === true) return outcomeOf(result);
        return renamed(context, input, result);
      },
    };
  });
}

async function renamed(
  context: AgentToolContext,
  input: JsonObject,
  { payload, meta }: ToolResult,
): Promise<ToolOutcome> {
  if (payload.kind === 'text') return { kind: 'failed', text: payload.text };
  const [at] = await filesOf(context, input);
  const value: unknown = payload.value;
  if (!at || typeof value !== 'object' || value === null || !('workspace_edit' in value)) {
    throw new BadCall('the rename came back without an edit', 'Try again, or edit the uses one by one.');
  }
  const { root } = at;
  const edit = parseWorkspaceEdit(value.workspace_edit);
  const overlay = await applyWorkspaceEdit(root.workspace, root.overlay, edit);
  const before = root.overlay.layer();
  const touched = [...overlay.layer()].filter(([path, entry]) => before.get(path) !== entry);
  const shown = touched.map(([path]) => anchored(context.roots, root, path).shown).sort(comparePaths);
  const doubt =
    meta?.incomplete === undefined ? '' : '\nSome files that may use the name were not looked at.';
  return done(`Renamed to "${input.new_name}" in ${shown.length} file(s): ${shown.join(', ')}${doubt}`, {
    change: { root, overlay, shown },
  });
}

function agentTool(tool: Tool, prepare: (input: JsonObject) => PreparedCall): AgentTool {
  const { name, description } = tool;
  return { name, description, inputSchema: declaredSchema(tool.inputSchema), prepare };
}

function outcomeOf(result: ToolResult): ToolOutcome {
  return { kind: result.isError ? 'failed' : 'done', text: contentOf(result).join('\n') };
}

async function called(
  context: AgentToolContext,
  tool: Tool,
  input: JsonObject,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { code, roots } = context;
  if (!code) throw new BadCall('there is no language server here', 'Use Grep and Read instead.');
  const call = { name: tool.name, arguments: await anchoredInput(context, input), roots };
  return callCodeTool(code, call, signal);
}

/** The tools want absolute paths, which models do not know. */
async function anchoredInput({ roots }: AgentToolContext, input: JsonObject): Promise<JsonObject> {
  const { file_path, changed_files } = input;
  const whole = async (path: JsonValue): Promise<JsonValue> =>
    typeof path === 'string' && path !== '' ? (await anchorPath(roots, path)).absolute : path;
  return {
    ...input,
    ...(file_path !== undefined && { file_path: await whole(file_path) }),
    ...(Array.isArray(changed_files) && { changed_files: await Promise.all(changed_files.map(whole)) }),
  };
}

async function subjectOf(context: AgentToolContext, input: JsonObject): Promise<CallSubject> {
  const paths = await filesOf(context, input);
  return paths.length > 0 ? { kind: 'paths', paths } : { kind: 'none' };
}

async function filesOf({ roots }: AgentToolContext, input: JsonObject): Promise<readonly AnchoredPath[]> {
  const { file_path, changed_files } = input;
  const named = [file_path, ...(Array.isArray(changed_files) ? changed_files : [])];
  const paths = named.filter((path) => typeof path === 'string' && path !== '');
  return Promise.all(paths.map((path) => anchorPath(roots, String(path))));
}
