/**
 * Sends one prompt to one model and classifies the answer.
 *
 * Invariant: the request goes directly to the provider: no conversation, no guard, no execution. The first outcome of
 * the list that applies is taken.
 */
import { type Agent, declarationsOf } from '../../agent/agent.ts';
import type { AgentTool } from '../../agent/agent-context.ts';
import { repairReply, toolNamed } from '../../agent/reliability/repaired-reply.ts';
import { systemPrompt } from '../../agent/system-prompt.ts';
import { type AssistantMessage, toolCallsOf, userText } from '../../model/message.ts';
import { ModelFailure } from '../../model/model-failure.ts';
import type { ModelRequest } from '../../model/model-request.ts';
import { askModel, type Reply } from '../../model/reply.ts';
import type { EmissionPrompt } from './emission-prompt.ts';

export const emissionOutcomes = [
  /** The right tool, called through the provider's API. */
  'native',
  /** The right tool, written as text and extracted. */
  'salvaged',
  /** No call at first, and the right tool when a call was required. */
  'forced',
  /** No call, and none was needed. */
  'plain',
  /** No call, but one was needed. */
  'none',
  /** Another tool than the right ones, or any tool if none was needed. */
  'wrong tool',
  /** Arguments that the tool does not accept. */
  'invalid args',
  /** The provider did not answer. */
  'failed',
] as const;

export type EmissionOutcome = (typeof emissionOutcomes)[number];

export type TrialAgent = Pick<Agent, 'client' | 'model' | 'sampling' | 'maxTokens' | 'tools'>;

export async function tryEmission(
  agent: TrialAgent,
  prompt: EmissionPrompt,
  signal: AbortSignal,
): Promise<EmissionOutcome> {
  const { client, model, sampling, maxTokens, tools } = agent;
  const request: ModelRequest = {
    model,
    system: systemPrompt,
    tools: declarationsOf(tools),
    messages: [userText(prompt.text)],
    sampling,
    maxTokens,
    tail: 'discarded',
  };
  try {
    const reply = await askModel(client, { request }, signal);
    const outcome = outcomeOf(tools, prompt, reply);
    if (outcome !== 'none' || client.toolForcing === 'unsupported') return outcome;
    const required = await askModel(client, { request: { ...request, toolChoice: 'required' } }, signal);
    return ['native', 'salvaged'].includes(outcomeOf(tools, prompt, required)) ? 'forced' : 'none';
  } catch (thrown) {
    if (thrown instanceof ModelFailure) return 'failed';
    throw thrown;
  }
}

function outcomeOf(tools: readonly AgentTool[], prompt: EmissionPrompt, reply: Reply): EmissionOutcome {
  if (reply.kind === 'cut') return 'failed';
  const native = toolCallsOf(reply.message).length > 0;
  const { message } = repairReply({ tools, assistance: 'full' }, reply);
  const [call] = toolCallsOf(message);
  const isWanted = prompt.expects.length > 0;
  if (!call) return isWanted ? 'none' : 'plain';
  if (!hasAcceptedCalls(tools, message)) return 'invalid args';
  if (!prompt.expects.includes(call.name)) return 'wrong tool';
  return native ? 'native' : 'salvaged';
}

function hasAcceptedCalls(tools: readonly AgentTool[], message: AssistantMessage): boolean {
  return toolCallsOf(message).every(({ name, input }) => {
    const tool = toolNamed(tools, name);
    if (!tool) return true;
    if (input.kind === 'malformed') return false;
    try {
      tool.prepare(input.value);
      return true;
    } catch {
      return false;
    }
  });
}
