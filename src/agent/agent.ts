/** A model and the tools it is given: what stays the same for the length of a conversation. */
import type { Log } from '../base/log.ts';
import type { ModelClient } from '../model/model-client.ts';
import type { Sampling, ToolDeclaration } from '../model/model-request.ts';
import type { AgentTool } from './agent-context.ts';

export interface Agent {
  readonly client: ModelClient;
  readonly model: string;
  readonly sampling: Sampling;
  /** How long one answer may be. */
  readonly maxTokens: number;
  /** How much the model can hold, prompt and answer together. */
  readonly contextTokens: number;
  readonly tools: readonly AgentTool[];
  /**
   * `full` for models that do not call tools reliably: an answer that reads like a call that was never made is
   * asked for once more. It needs the tool `reply_to_user`, as the way out for an answer that was meant.
   */
  readonly assistance: 'full' | 'none';
  readonly log: Log;
}

export function declarationsOf(tools: readonly AgentTool[]): readonly ToolDeclaration[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: JSON.parse(JSON.stringify(inputSchema)),
  }));
}
