/**
 * Two tools that make unlisted tools reachable: one searches them, one calls them by name.
 *
 * Invariant: a call through `call_tool` is the prepared call of the named tool.
 */
import { z } from 'zod';
import { InvalidArgument } from './failure.ts';
import { resolveCall, unprefixedName } from './named-call.ts';
import { whole, word } from './parameter.ts';
import { defineForwardingTool, defineTool, type Tool } from './tool.ts';
import { jsonResult } from './tool-result.ts';

const shownByDefault = 5;

export function findTool(tools: readonly Tool[]): Tool {
  return defineTool({
    name: 'find_tool',
    title: 'Find Tool',
    effect: 'reads',
    description: `Search all ${tools.length} tools, most of them not listed, by words; returns names, descriptions and schemas. Call them with call_tool.`,
    input: z.object({
      query: word('What the tool should do, e.g. "format document" or "type hierarchy".'),
      limit: whole(`Maximum number of results; default ${shownByDefault}.`).optional(),
    }),
    async handle(_context, { query, limit = shownByDefault }) {
      const found = searchTools(tools, query).slice(0, Math.max(1, limit));
      const shown = found.map(({ name, title, description, inputSchema }) => ({
        name,
        title,
        description,
        input_schema: inputSchema,
      }));
      const hint = shown.length > 0 ? 'call call_tool with the name and its arguments.' : 'try other words.';
      return jsonResult({ tools: shown, total: tools.length }, { hint });
    },
  });
}

export function callTool(tools: readonly Tool[]): Tool {
  return defineForwardingTool({
    name: 'call_tool',
    title: 'Call Tool',
    // The effect depends on the named tool, so a client must expect the largest one.
    effect: 'disk',
    description: 'Call an unlisted tool by its name. find_tool returns names and schemas.',
    input: z.object({
      name: word('Name of the tool, as find_tool returns it.'),
      arguments: z
        .record(z.string(), z.unknown())
        .describe('Its arguments, as its input_schema describes.')
        .optional(),
    }),
    forward({ name, arguments: given }) {
      if (unprefixedName(name) === 'call_tool') {
        throw new InvalidArgument('call_tool cannot call itself', 'Give the name of the tool in "name".');
      }
      const resolved = resolveCall(tools, { name, arguments: given });
      return resolved.tool.prepare(resolved.arguments);
    },
  });
}

/** Tools that share words with the query, best match first; a word in the name counts most. */
export function searchTools(tools: readonly Tool[], query: string): readonly Tool[] {
  const sought = wordsOf(query);
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, sought) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

function scoreOf(tool: Tool, sought: readonly string[]): number {
  const names = [tool.name, tool.title, ...tool.aliases, ...tool.listedAliases.map(({ name }) => name)];
  const inName = new Set(names.flatMap(wordsOf));
  const inText = new Set([
    ...wordsOf(tool.description),
    ...Object.keys(tool.inputSchema.properties ?? {}).flatMap(wordsOf),
  ]);
  return sought.reduce((sum, each) => sum + (inName.has(each) ? 4 : 0) + (inText.has(each) ? 1 : 0), 0);
}

/** Lower-case words without the endings that distinguish plurals, or `rename` from `renaming`. */
function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.map((each) => (each.length > 4 ? each.replace(/(ing|es|s|e)$/, '') : each));
}
