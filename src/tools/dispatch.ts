/**
 * The only way to call a tool, for every front end: find it, parse its arguments, ask the guards, run it, record it.
 *
 * Invariant: only an unknown name is thrown. Every other failure is an error result, so one bad request never ends
 * the process.
 */
import { randomUUID } from 'node:crypto';
import type { Failure } from '../base/failure.ts';
import { isRecord } from '../base/record.ts';
import { howToTrust } from '../workspace/trust-remedy.ts';
import { asFailure, CallDenied, rootOf, UnknownTool } from './failure.ts';
import { askGuards, type GuardedCall, type GuardedRun, guardedCall } from './guard.ts';
import { ignoredParameters } from './parameter.ts';
import type { PreparedCall, Tool } from './tool.ts';
import type { ToolContext } from './tool-context.ts';
import { cappedResult, type ToolResult, withWarnings } from './tool-result.ts';

export interface ToolCall extends GuardedRun, NamedCall {
  /** Absent if the caller has no id for it. */
  readonly id?: string;
  readonly tools: readonly Tool[];
}

const slowCallMs = 5000;

export async function dispatch(
  context: ToolContext,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  const resolved = resolveCall(call.tools, call);
  const startedAt = performance.now();
  const { acting, result } = await answer(context, { ...call, resolved }, signal);
  const { tool } = acting;
  const durationMs = Math.round(performance.now() - startedAt);
  const level = durationMs > slowCallMs ? 'warning' : 'debug';
  context.log.write(level, 'tool.called', { tool: tool.name, durationMs, isError: result.isError });
  await context.audit?.record({ tool, arguments: acting.given, result, durationMs });
  return result;
}

/** A failure as an answer: its sentence, then its details for programs. */
function failureResult(failure: Failure): ToolResult {
  const { code, remedy } = failure;
  return {
    payload: { kind: 'text', text: failure.message },
    meta: { code, remedy, ...detailsOf(failure) },
    isError: true,
  };
}

interface Answer {
  /** The tool that acted; the called tool if its arguments could not be parsed. */
  readonly acting: Pick<PreparedCall, 'tool' | 'given'>;
  readonly result: ToolResult;
}

async function answer(
  context: ToolContext,
  call: ToolCall & { readonly resolved: ResolvedCall },
  signal: AbortSignal,
): Promise<Answer> {
  const { resolved } = call;
  let acting: Answer['acting'] = { tool: resolved.tool, given: resolved.arguments };
  try {
    const prepared = resolved.tool.prepare(resolved.arguments);
    acting = prepared;
    if (prepared.ignored.length > 0) {
      context.log.debug('tool.arguments_ignored', { tool: prepared.tool.name, names: prepared.ignored });
    }
    const { id = randomUUID() } = call;
    const warnings = await permitted(call, await guardedCall(id, prepared, context), signal);
    const result = withinTokens(
      context,
      withUntrusted(context, await prepared.run(context, signal)),
      prepared.input,
    );
    const ignored = ignoredParameters(resolved.tool.inputSchema, prepared.ignored);
    return { acting, result: withIgnored(withWarnings(result, warnings), ignored) };
  } catch (thrown) {
    const failure = asFailure(thrown);
    const { name } = acting.tool;
    context.log.debug('tool.failed', { tool: name, code: failure.code, message: failure.message });
    return { acting, result: failureResult(failure) };
  }
}

/** A misspelled parameter would otherwise give the answer to another question, unnoticed. */
function withIgnored(result: ToolResult, ignored: readonly string[]): ToolResult {
  return ignored.length > 0 ? { ...result, meta: { ...result.meta, ignored_parameters: ignored } } : result;
}

/** If a tool takes `max_tokens`, no answer of it is longer. */
function withinTokens({ answers }: ToolContext, result: ToolResult, input: unknown): ToolResult {
  const limit = isRecord(input) ? input.max_tokens : undefined;
  if (typeof limit !== 'number') return result;
  return cappedResult(result, Math.max(0, limit), answers && ((rest) => answers.keep(rest)));
}

/** Returns the warnings of the guards; throws if a guard refuses the call. */
async function permitted(
  run: GuardedRun,
  call: GuardedCall,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const decision = await askGuards(run, call, signal);
  if (decision.kind === 'allow') return decision.warnings;
  throw new CallDenied(
    decision.reason,
    decision.remedy ?? 'Continue without this call, or ask the user to allow it.',
  );
}

/** Details that some failures carry besides their sentence. */
function detailsOf(failure: Failure): Readonly<Record<string, unknown>> {
  const root = rootOf(failure);
  if (root.code === 'session/dirty') {
    return {
      ...('sessionId' in root && { session_id: root.sessionId }),
      session_dirty: true,
      error: root.message,
    };
  }
  return 'paths' in root && Array.isArray(root.paths) ? { conflict: true, paths: root.paths } : {};
}

/** Adds to an answer what its servers could not use because the workspace is not trusted; nothing if that is empty. */
function withUntrusted({ workspaces }: ToolContext, result: ToolResult): ToolResult {
  const offering = workspaces.all.filter(({ live }) => live.servers.withheld.length > 0);
  if (offering.length === 0) return result;
  const untrusted = {
    not_used: offering.flatMap(({ live }) => live.servers.withheld.map(({ path }) => path)),
    how_to_trust: offering.map(({ workspace }) => howToTrust(workspace.root)).join(' '),
  };
  return { ...result, meta: { ...result.meta, untrusted } };
}

export interface NamedCall {
  readonly name: string;
  readonly arguments: unknown;
}

export interface ResolvedCall {
  readonly tool: Tool;
  /** The caller's arguments, with the fixed arguments of the alias. */
  readonly arguments: unknown;
}

/** The tool that a call means: it answers to its name and to every alias, with or without a client's prefix. */
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
