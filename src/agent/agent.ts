/** A model and its tools: the parts that do not change during a conversation. */
import type { Log } from '../base/log.ts';
import type { ModelClient } from '../model/model-client.ts';
import type { Sampling, ToolDeclaration } from '../model/model-request.ts';
import type { AgentTool } from './agent-context.ts';

export interface Agent {
  readonly client: ModelClient;
  readonly model: string;
  readonly sampling: Sampling;
  /** Maximum length of one answer. */
  readonly maxTokens: number;
  /** Size of the context window: prompt and answer together. */
  readonly contextTokens: number;
  readonly tools: readonly AgentTool[];
  /**
   * `full` is for models that do not call tools reliably: if an answer reads like a call that was never made, the
   * model is asked once more with a call required. This needs the tool `reply_to_user`, with which the model can keep
   * a plain answer.
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
