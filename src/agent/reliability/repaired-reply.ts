/**
 * Repairs a model's answer: extracts calls written as text, and completes arguments that were cut off.
 *
 * Invariant: repaired calls pass every guard like any other call, and a call extracted from text was accepted by the
 * tool it names.
 */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../model/json-value.ts';
import {
  type AssistantMessage,
  type AssistantPart,
  type ToolCallPart,
  textOf,
  toolCallsOf,
} from '../../model/message.ts';
import type { StopReason } from '../../model/model-event.ts';
import type { Agent } from '../agent.ts';
import type { AgentTool } from '../agent-context.ts';
import { replyToolName } from '../tools/reply.ts';
import { completedObject } from './json-scan.ts';
import { type AcceptCall, salvageCalls } from './leaked-call.ts';
import type { WrittenCall } from './written-call.ts';

export type CallOrigin = 'native' | 'salvaged' | 'forced' | 'completed';

export interface RepairedReply {
  readonly message: AssistantMessage;
  /** The origin of each call, by its id. */
  readonly origins: ReadonlyMap<string, CallOrigin>;
}

/** Text is read as calls only for models that need it; other models may write a call as an example. */
export function repairReply(
  { tools, assistance }: Pick<Agent, 'tools' | 'assistance'>,
  { message, stop }: { readonly message: AssistantMessage; readonly stop: StopReason },
): RepairedReply {
  const spoken = withoutReplies(message);
  const calls = toolCallsOf(spoken);
  if (calls.length > 0) return completed(tools, { message: uniquelyNamed(spoken), stop });
  const found = assistance === 'full' ? salvaged(tools, spoken) : undefined;
  return found ?? { message: spoken, origins: new Map() };
}

/** Matches a written call to a tool, under the tool's declared name. */
export function acceptingTools(tools: readonly AgentTool[]): AcceptCall {
  return (name, input) => {
    const tool = toolNamed(tools, name);
    return tool && accepts(tool, input) ? tool.name : undefined;
  };
}

/** Names are compared without regard to case. */
export function toolNamed(tools: readonly AgentTool[], name: string): AgentTool | undefined {
  const folded = name.toLowerCase();
  return (
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.name.toLowerCase() === folded || tool.aliases.includes(name))
  );
}

/** Texts given through `reply_to_user`, which were not streamed to the reader. */
export function repliedTexts({ content }: AssistantMessage): readonly string[] {
  return content.flatMap((part) => replyIn(part) ?? []);
}

/** Turns calls of `reply_to_user` into text. */
function withoutReplies({ content }: AssistantMessage): AssistantMessage {
  return {
    role: 'assistant',
    content: content.map((part): AssistantPart => {
      const text = replyIn(part);
      return text === undefined ? part : { kind: 'text', text };
    }),
  };
}

function replyIn(part: AssistantPart): string | undefined {
  if (part.kind !== 'tool-call' || part.name !== replyToolName || part.input.kind !== 'object')
    return undefined;
  const { text } = part.input.value;
  return typeof text === 'string' ? text : undefined;
}

/** Some servers give all calls of an answer the same id, or none. */
function uniquelyNamed({ content }: AssistantMessage): AssistantMessage {
  const taken = new Set<string>();
  return {
    role: 'assistant',
    content: content.map((part) => {
      if (part.kind !== 'tool-call') return part;
      const id = part.id === '' || taken.has(part.id) ? freshCallId() : part.id;
      taken.add(id);
      return { ...part, id };
    }),
  };
}

function completed(
  tools: readonly AgentTool[],
  { message, stop }: { readonly message: AssistantMessage; readonly stop: StopReason },
): RepairedReply {
  const origins = new Map<string, CallOrigin>();
  const content = message.content.map((part): AssistantPart => {
    if (part.kind !== 'tool-call') return part;
    const value =
      part.input.kind === 'malformed' ? completedInput(tools, part, part.input.text, stop) : undefined;
    origins.set(part.id, value ? 'completed' : 'native');
    return value ? { ...part, input: { kind: 'object', value } } : part;
  });
  return { message: { role: 'assistant', content }, origins };
}

/**
 * Arguments without their last brackets are completed if the tool accepts the result. If the answer reached its
 * length limit, more than brackets may be missing; then only calls that read are completed.
 */
function completedInput(
  tools: readonly AgentTool[],
  { name }: ToolCallPart,
  text: string,
  stop: StopReason,
): JsonObject | undefined {
  const tool = toolNamed(tools, name);
  const value = completedObject(text);
  if (!tool || !value || !accepts(tool, value)) return undefined;
  return stop === 'max-tokens' && tool.prepare(value).effect !== 'reads' ? undefined : value;
}

function salvaged(tools: readonly AgentTool[], message: AssistantMessage): RepairedReply | undefined {
  const accept = acceptingTools(tools);
  const text = textOf(message);
  const found =
    salvageCalls(text, accept) ?? (text.trim() === '' ? fromThinking(message, accept) : undefined);
  if (!found) return undefined;
  const kept = message.content.filter(({ kind }) => kind !== 'text');
  return withCalls([...kept, ...spokenPart(found.text)], found.calls, 'salvaged');
}

/** Reasoning models may write a call in their reasoning, where it is not executed. */
function fromThinking({ content }: AssistantMessage, accept: AcceptCall): ReturnType<typeof salvageCalls> {
  const thought = content.map((part) => (part.kind === 'thinking' ? part.text : '')).join('\n');
  const found = salvageCalls(thought, accept, 'marked');
  return found && { calls: found.calls, text: '' };
}

export function withCalls(
  said: readonly AssistantPart[],
  calls: readonly WrittenCall[],
  origin: CallOrigin,
): RepairedReply {
  const parts = calls.map(
    ({ name, input }): ToolCallPart => ({
      kind: 'tool-call',
      id: freshCallId(),
      name,
      input: { kind: 'object', value: input },
    }),
  );
  return {
    message: { role: 'assistant', content: [...said, ...parts] },
    origins: new Map(parts.map(({ id }) => [id, origin])),
  };
}

function spokenPart(text: string): readonly AssistantPart[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}

function accepts(tool: AgentTool, input: JsonObject): boolean {
  try {
    tool.prepare(input);
    return true;
  } catch {
    return false;
  }
}

/** Nine letters and digits: a form every provider accepts. */
function freshCallId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 9);
}
