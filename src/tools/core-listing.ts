/**
 * The short form in which the core set lists a tool: the parameters that most calls need, each with the first sentence
 * of its description. `find_tool` shows the whole.
 *
 * Invariant: only the listing is short. A call takes every parameter of the tool, listed or not, and a required one is
 * always listed.
 */
import type { JsonSchema } from './json-schema.ts';
import type { Tool } from './tool.ts';

/** The tools that most tasks need (read, preview, change, check), and what of each is listed. */
export const coreParameters: Readonly<Record<string, readonly string[]>> = {
  preview_edit: ['file_path', 'start_line', 'start_column', 'end_line', 'end_column', 'new_text', 'scope'],
  simulate_chain: ['session_id', 'workspace_root', 'language', 'edits'],
  safe_apply_edit: ['file_path', 'old_text', 'new_text'],
  get_diagnostics: ['file_path'],
  inspect_symbol: ['file_path', 'line', 'column', 'position_pattern'],
  list_symbols: ['file_path', 'format'],
  find_symbol: ['query', 'limit'],
  find_references: ['file_path', 'line', 'column', 'position_pattern'],
  go_to_definition: ['file_path', 'line', 'column', 'position_pattern'],
  find_callers: ['file_path', 'line', 'column', 'position_pattern', 'direction'],
  blast_radius: ['changed_files'],
  rename_symbol: ['file_path', 'line', 'column', 'position_pattern', 'new_name', 'dry_run'],
};

/** The parameters of one edit in a list of edits. */
const editParameters = ['file_path', 'start_line', 'start_column', 'end_line', 'end_column', 'new_text'];

export function coreListing(tool: Tool): Tool {
  const names = coreParameters[tool.name] ?? [];
  const short = shortSchema(tool.inputSchema, names);
  // A second name of the same tool adds nothing here.
  return { ...tool, inputSchema: short, listedAliases: [] };
}

function shortSchema(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const listed = new Set([...names, ...(schema.required ?? [])]);
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => listed.has(name));
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, property]) => [name, shortProperty(property)])),
  };
}

function shortProperty({ description, items, ...rest }: JsonSchema): JsonSchema {
  return {
    ...rest,
    // The values of a fixed set are explained one by one.
    ...(description !== undefined && { description: rest.enum ? description : firstSentence(description) }),
    ...(items && { items: items.properties ? shortSchema(items, editParameters) : items }),
  };
}

function firstSentence(text: string): string {
  return /^.*?[.](?= |$)/.exec(text)?.[0] ?? text;
}
