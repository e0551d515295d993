/**
 * `docs/tools.md`: every tool with its parameters, and what listing them costs.
 *
 * Invariant: a function of the definitions alone, so that a stale page can be told from a fresh one.
 */

import type { JsonSchema } from '../../src/tools/json-schema.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { toolsetNames, toolsetOf } from '../../src/tools/toolset.ts';
import { listingCost } from './listing-cost.ts';

export function toolsPage(tools: readonly Tool[]): string {
  const doors = toolsetOf('core', tools).listed.filter(
    (tool) => !tools.some(({ name }) => name === tool.name),
  );
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    '# Tools',
    '<!-- Written by `npx tsx scripts/generate-docs.ts` from the definitions in src/tools. -->',
    introduction,
    costTable(tools),
    '## Overview',
    overview(sorted),
    ...sorted.map(section),
    '## Only in the toolset `core`',
    ...doors.map(section),
  ]
    .join('\n\n')
    .concat('\n');
}

const introduction = `What each tool touches: *reads* looks at files and asks servers; *overlay* changes text in memory only; *disk* writes
workspace files; *process* starts or stops something; *network* reaches beyond this machine. A parameter with a star is required.
Lines and columns in arguments are counted from 1.`;

function costTable(tools: readonly Tool[]): string {
  const rows = toolsetNames.map((name) => {
    const { listed } = toolsetOf(name, tools);
    const cost = listingCost(listed);
    return `| \`${name}\` | ${cost.tools} | ${cost.bytes} | ${cost.tokens} |`;
  });
  return [
    '## Toolsets',
    '',
    '`forerun mcp --toolset core` lists a selection and two tools that find and call the rest. Listing costs every',
    'conversation, at four bytes of JSON to a token:',
    '',
    '| toolset | tools | bytes | tokens |',
    '| --- | ---: | ---: | ---: |',
    ...rows,
  ].join('\n');
}

function overview(tools: readonly Tool[]): string {
  const rows = tools.map(
    (tool) =>
      `| [\`${tool.name}\`](#${tool.name}) | ${tool.effect} | ${marksOf(tool)} | ${cell(firstSentence(tool.description))} |`,
  );
  return ['| tool | touches | hints | what it does |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** The annotations a client sees. */
function marksOf({ annotations }: Tool): string {
  const marks = [
    annotations.readOnly && 'read-only',
    annotations.destructive && 'destructive',
    annotations.idempotent && 'idempotent',
  ];
  return marks.filter((mark) => mark !== false).join(', ');
}

function section(tool: Tool): string {
  const { name, title, description, effect, aliases, listedAliases } = tool;
  const hints = marksOf(tool);
  const facts = [`**${title}.** Touches: ${effect}.`];
  if (hints !== '') facts.push(`Hints: ${hints}.`);
  if (listedAliases.length > 0)
    facts.push(`Also listed as ${names(listedAliases.map((alias) => alias.name))}.`);
  if (aliases.length > 0) facts.push(`Also answers to ${names(aliases)}.`);
  const parameters = parameterRows(tool.inputSchema, '');
  const table =
    parameters.length > 0
      ? ['| parameter | type | meaning |', '| --- | --- | --- |', ...parameters].join('\n')
      : 'Takes no parameters.';
  return [`### ${name}`, facts.join(' '), description, table].join('\n\n');
}

function parameterRows(schema: JsonSchema, prefix: string): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, node]) => {
    const star = schema.required?.includes(name) ? '\\*' : '';
    const inner = node.items ?? node;
    const path = `${prefix}${name}`;
    return [
      `| \`${path}\`${star} | ${typeOf(node)} | ${cell(node.description ?? '')} |`,
      ...parameterRows(inner, `${path}${node.items ? '[]' : ''}.`),
    ];
  });
}

function typeOf(node: JsonSchema): string {
  if (node.enum) return node.enum.map((value) => `\`${value}\``).join(' \\| ');
  return node.items ? `list of ${node.items.type ?? 'any'}` : (node.type ?? 'any');
}

function names(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

function firstSentence(text: string): string {
  return /^.+?[.?](?= |$)/s.exec(text)?.[0] ?? text;
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}
