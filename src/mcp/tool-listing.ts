/**
 * The tools as listed by `tools/list`.
 *
 * Invariant: derived from the definitions alone; to the client, a listed alias is a tool of its own.
 */
import type { Tool as McpTool } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../tools/json-schema.ts';
import type { Tool } from '../tools/tool.ts';

/** `metaOf` returns what clients that support an extension receive about a tool as well. */
export function toolListing(
  tools: readonly Tool[],
  metaOf: (name: string) => Readonly<Record<string, unknown>> | undefined = () => undefined,
): McpTool[] {
  return tools.flatMap((tool) => [
    withMeta(listed(tool, tool), metaOf(tool.name)),
    ...tool.listedAliases.map((alias) => listed(tool, alias)),
  ]);
}

function withMeta(tool: McpTool, meta: Readonly<Record<string, unknown>> | undefined): McpTool {
  return meta ? { ...tool, _meta: { ...meta } } : tool;
}

function listed(tool: Tool, { name, title }: { readonly name: string; readonly title: string }): McpTool {
  const { readOnly, destructive, idempotent } = tool.annotations;
  return {
    name,
    title,
    description: tool.description,
    inputSchema: { ...mutable(tool.inputSchema), type: 'object' },
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      // False is what the protocol assumes.
      ...(idempotent && { idempotentHint: true }),
      openWorldHint: false,
    },
  };
}

type PlainSchema = Omit<McpTool['inputSchema'], 'type'>;

/** The SDK's types require mutable arrays. */
function mutable(schema: JsonSchema): PlainSchema {
  return { properties: { ...schema.properties }, ...(schema.required && { required: [...schema.required] }) };
}
