/**
 * The one way to call a tool, from every edge: find it, read its arguments, ask the guards, run it, record it.
 *
 * Invariant: only an unknown name is thrown. Whatever else goes wrong is answered as an error result, so one bad
 * request never ends the process.
 */
import { randomUUID } from 'node:crypto';
import type { Failure } from '../base/failure.ts';
import { isRecord } from '../base/record.ts';
import { cappedResult } from './capped-result.ts';
import { asFailure, CallDenied, rootOf, UnknownTool } from './failure.ts';
import { askGuards, type GuardedRun } from './guard.ts';
import type { GuardedCall } from './guarded-call.ts';
import type { Tool } from './tool.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolResult } from './tool-result.ts';
import { withUntrusted } from './untrusted-note.ts';

export interface ToolCall extends GuardedRun {
  /** Absent where the caller has no id for it. */
  readonly id?: string;
  readonly tools: readonly Tool[];
  readonly name: string;
  readonly arguments: unknown;
}

const slowCallMs = 5000;

export async function dispatch(
  context: ToolContext,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  const tool = findTool(call.tools, call.name);
  if (tool.forward) return forwarded(context, { ...call, forward: tool.forward }, signal);
  const startedAt = performance.now();
  const result = await answer(context, { ...call, tool }, signal);
  const durationMs = Math.round(performance.now() - startedAt);
  const level = durationMs > slowCallMs ? 'warning' : 'debug';
  context.log.write(level, 'tool.called', { tool: tool.name, durationMs, isError: result.isError });
  await context.audit?.record({ tool, arguments: call.arguments, result, durationMs });
  return result;
}

/** Guards and records see the tool that acts, whichever tool it was called through. */
async function forwarded(
  context: ToolContext,
  { forward, ...call }: ToolCall & Required<Pick<Tool, 'forward'>>,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    return await dispatch(context, { ...call, ...forward(call.arguments) }, signal);
  } catch (thrown) {
    return failureResult(asFailure(thrown));
  }
}

/** The tool of a name, an alias or a name with a client's prefix. */
function findTool(tools: readonly Tool[], name: string): Tool {
  const bare = bareName(name);
  const found = tools.find(
    (tool) =>
      tool.name === bare ||
      tool.aliases.includes(bare) ||
      tool.listedAliases.some((alias) => alias.name === bare),
  );
  if (!found) throw new UnknownTool(name);
  return found;
}

/** What the caller sent, with what the name it called by stands for. */
function argumentsOf({ tool, name, arguments: given }: ToolCall & { readonly tool: Tool }): unknown {
  const alias = tool.listedAliases.find((listed) => listed.name === bareName(name));
  if (!alias?.fixed) return given;
  return isRecord(given) || given === undefined || given === null ? { ...given, ...alias.fixed } : given;
}

/** Clients put the name of their connection in front. */
function bareName(name: string): string {
  return name.replace(/^mcp__.+?__/, '');
}

/** A failure as an answer: its sentence alone, then what a program needs to know of it. */
function failureResult(failure: Failure): ToolResult {
  const { code, remedy } = failure;
  return {
    payload: { kind: 'text', text: failure.message },
    meta: { code, remedy, ...detailsOf(failure) },
    isError: true,
  };
}

async function answer(
  context: ToolContext,
  call: ToolCall & { readonly tool: Tool },
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    const prepared = call.tool.prepare(argumentsOf(call));
    if (prepared.ignored.length > 0) {
      context.log.debug('tool.arguments_ignored', { tool: call.tool.name, names: prepared.ignored });
    }
    const { input, effect } = prepared;
    const { id = randomUUID() } = call;
    const guarded = { id, tool: call.tool.name, input, effect, subject: { kind: 'none' } } as const;
    const warnings = await permitted(call, guarded, signal);
    const result = withinTokens(withUntrusted(context, await prepared.run(context, signal)), input);
    return warnings.length > 0 ? { ...result, warnings } : result;
  } catch (thrown) {
    const failure = asFailure(thrown);
    context.log.debug('tool.failed', { tool: call.tool.name, code: failure.code, message: failure.message });
    return failureResult(failure);
  }
}

/** Where a tool takes `max_tokens`, no answer of it is longer. */
function withinTokens(result: ToolResult, input: unknown): ToolResult {
  const limit = isRecord(input) ? input.max_tokens : undefined;
  return typeof limit === 'number' ? cappedResult(result, Math.max(0, limit)) : result;
}

/** The warnings of the guards; a guard that refuses ends the call here. */
async function permitted(
  run: GuardedRun,
  call: GuardedCall,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const decision = await askGuards(run, call, signal);
  if (decision.kind === 'allow') return decision.warnings;
  throw new CallDenied(
    decision.reason,
    decision.remedy ?? 'Go on without this call, or ask the user to allow it.',
  );
}

/** Facts some failures carry besides their sentence. */
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
