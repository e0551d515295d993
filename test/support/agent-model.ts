/**
 * A scripted model for real coding agents: it calls tools step by step and reads what they answered.
 *
 * Invariant: which step comes next follows from the request alone, by the number of tool answers in it. A repeated
 * request gets the same answer, and requests without our tools (titles, summaries) get a plain word.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/model/json-value.ts';
import type { RecordedRequest, ScriptedAnswer, ScriptedProvider } from './scripted-provider.ts';

/** What an agent asks the model: the tools it offers, and what tools have answered so far. */
export interface AgentRequest {
  readonly tools: readonly OfferedTool[];
  readonly results: readonly string[];
}

export interface OfferedTool {
  readonly name: string;
  readonly namespace?: string;
}

export interface AgentStep {
  /** The tool as its server names it; agents put a prefix before it. */
  readonly tool: string;
  readonly arguments: (results: readonly string[]) => JsonObject;
}

/** Has the provider call one tool after the other, and say `ending` after the last. */
export function playSteps(provider: ScriptedProvider, steps: readonly AgentStep[], ending = 'done'): void {
  provider.script((recorded) => answerTo(agentRequestOf(recorded), steps, ending));
}

function answerTo(
  { tools, results }: AgentRequest,
  steps: readonly AgentStep[],
  ending: string,
): ScriptedAnswer {
  const step = steps[results.length];
  if (step === undefined) return [{ text: ending }];
  const offered = offeredAs(tools, step.tool);
  if (offered === undefined) return [{ text: `no tool ${step.tool}` }];
  const { name: call, namespace } = offered;
  const id = `call_${results.length + 1}`;
  return [{ call, id, ...(namespace !== undefined && { namespace }), arguments: step.arguments(results) }];
}

/** The name under which an agent offers a tool: bare, or after the name of its server. */
export function offeredAs(tools: readonly OfferedTool[], tool: string): OfferedTool | undefined {
  return tools.find(({ name }) => name === tool || new RegExp(`[_.:-]${tool}$`).test(name));
}

/** Reads a request of any dialect. */
export function agentRequestOf({ json }: RecordedRequest): AgentRequest {
  const turns = [...listOf(json.messages), ...listOf(json.input), ...listOf(json.contents)];
  return { tools: listOf(json.tools).flatMap(offeredIn), results: turns.flatMap(resultsIn) };
}

function offeredIn(tool: JsonObject): readonly OfferedTool[] {
  const declared = listOf(tool.functionDeclarations ?? tool.function_declarations);
  if (declared.length > 0) return declared.flatMap(offeredIn);
  if (tool.type === 'namespace') {
    const namespace = String(tool.name);
    return listOf(tool.tools)
      .flatMap(offeredIn)
      .map((each) => ({ ...each, namespace }));
  }
  const named = isJsonObject(tool.function) ? tool.function : tool;
  return typeof named.name === 'string' ? [{ name: named.name }] : [];
}

function resultsIn(turn: JsonObject): readonly string[] {
  if (turn.role === 'tool') return [textIn(turn.content)];
  if (turn.type === 'function_call_output') return [textIn(turn.output)];
  const parts = [...listOf(turn.content), ...listOf(turn.parts)];
  return parts.flatMap((part) => {
    if (part.type === 'tool_result') return [textIn(part.content)];
    return isJsonObject(part.functionResponse) ? [textIn(part.functionResponse.response)] : [];
  });
}

/** All texts in a value, one below the other. */
function textIn(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (isJsonObject(value)) return Object.values(value).map(textIn).join('\n');
  return Array.isArray(value) ? value.map(textIn).join('\n') : '';
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
