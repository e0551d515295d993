/**
 * The skills as MCP prompts: listed with their arguments, returned with their text.
 *
 * Invariant: the list contains no text of a skill, and keeps its order.
 */
import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import type { Skill, SkillLoader } from '../skills/skill.ts';

/** Handles prompts/list and prompts/get; the skills are loaded on the first request. */
export function servePrompts(server: Server, skills: SkillLoader): void {
  server.setRequestHandler('prompts/list', async () => ({ prompts: (await skills()).map(listed) }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const skill = (await skills()).find(({ name }) => name === params.name);
    if (skill) return prompt(skill, params.arguments ?? {});
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown prompt: ${params.name}`);
  });
}

function listed({ name, description, arguments: taken }: Skill): Prompt {
  return {
    name,
    description,
    arguments: taken.map((argument) => ({ name: argument.name, required: argument.isRequired })),
  };
}

function prompt(skill: Skill, given: Readonly<Record<string, string>>): GetPromptResult {
  const preamble = argumentLine(skill, given);
  const text = preamble === undefined ? skill.body : `${preamble}\n\n${skill.body}`;
  return { description: skill.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** The given arguments in the order of the skill's own; unknown names come last. */
function argumentLine(skill: Skill, given: Readonly<Record<string, string>>): string | undefined {
  const order = skill.arguments.map(({ name }) => name);
  const known = order.filter((name) => Object.hasOwn(given, name));
  const others = Object.keys(given)
    .filter((name) => !order.includes(name))
    .sort();
  const pairs = [...known, ...others].map((name) => `${name}: ${given[name]}`);
  return pairs.length > 0 ? `Arguments: ${pairs.join(', ')}` : undefined;
}
