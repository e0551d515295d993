/**
 * Resolves the name in a call to a tool.
 *
 * Invariant: a tool answers to its name and to every alias, with or without a client's prefix.
 */
import { isRecord } from '../base/record.ts';
import { UnknownTool } from './failure.ts';
import type { Tool } from './tool.ts';

export interface NamedCall {
  readonly name: string;
  readonly arguments: unknown;
}

export interface ResolvedCall {
  readonly tool: Tool;
  /** The caller's arguments, with the fixed arguments of the alias. */
  readonly arguments: unknown;
}

export function resolveCall(tools: readonly Tool[], { name, arguments: given }: NamedCall): ResolvedCall {
  const bare = unprefixedName(name);
  const tool = tools.find((each) => answersTo(each, bare));
  if (!tool) throw new UnknownTool(name);
  const fixed = tool.listedAliases.find((alias) => alias.name === bare)?.fixed;
  const takesFixed = isRecord(given) || given === undefined || given === null;
  return { tool, arguments: fixed && takesFixed ? { ...given, ...fixed } : given };
}

/** Removes the connection name that clients put in front. */
export function unprefixedName(name: string): string {
  return name.replace(/^mcp__.+?__/, '');
}

function answersTo({ name, aliases, listedAliases }: Tool, bare: string): boolean {
  return name === bare || aliases.includes(bare) || listedAliases.some((alias) => alias.name === bare);
}
