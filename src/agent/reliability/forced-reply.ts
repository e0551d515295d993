/**
 * Asks the model once more, with a tool call required, if its answer reads like a call that was never made.
 *
 * Invariants: this happens only if the provider supports required calls and the agent has `reply_to_user`; the second
 * request has the same messages, so the conversation holds one answer in the end. A model that calls `reply_to_user`
 * keeps its first answer.
 */
import { type AssistantMessage, textOf, toolCallsOf } from '../../model/message.ts';
import { ModelFailure } from '../../model/model-failure.ts';
import { askModel } from '../../model/reply.ts';
import { noUsage, type Usage } from '../../model/usage.ts';
import type { Conversation } from '../conversation.ts';
import { replyToolName } from '../tools/reply.ts';
import { type RepairedReply, repairReply } from './repaired-reply.ts';
import { signOfUnemittedCall } from './unemitted-call.ts';

export interface PlainReply {
  readonly message: AssistantMessage;
  /** The user's last input. */
  readonly asked: string;
  readonly hasRunTools: boolean;
}

export interface ForcedReply {
  /** The answer with the missing call; undefined if the plain answer was intended. */
  readonly reply: RepairedReply | undefined;
  readonly usage: Usage;
}

/** Undefined if no second request was made. */
export async function forcedReply(
  { setup: { agent }, history: { prefix } }: Conversation,
  { message, asked, hasRunTools }: PlainReply,
  signal: AbortSignal,
): Promise<ForcedReply | undefined> {
  const { client, tools, assistance, log } = agent;
  if (assistance === 'none' || client.toolForcing === 'unsupported') return undefined;
  const toolNames = tools.map(({ name }) => name);
  if (!toolNames.includes(replyToolName)) return undefined;
  const sign = signOfUnemittedCall({ text: textOf(message), asked, hasRunTools, toolNames });
  if (!sign) return undefined;
  try {
    const request = { ...prefix.request, toolChoice: 'required', tail: 'discarded' } as const;
    const reply = await askModel(client, { request }, signal);
    const forced = reply.kind === 'complete' ? repairReply(agent, reply) : undefined;
    const calls = forced ? toolCallsOf(forced.message) : [];
    log.info('agent.forced', { sign, provider: client.name, calls: calls.length });
    if (calls.length === 0) return { reply: undefined, usage: reply.usage };
    const origins = new Map(calls.map(({ id }) => [id, 'forced' as const]));
    return {
      reply: { message: { role: 'assistant', content: [...message.content, ...calls] }, origins },
      usage: reply.usage,
    };
  } catch (thrown) {
    if (!(thrown instanceof ModelFailure)) throw thrown;
    // The plain answer is kept.
    log.warning('agent.forcing-failed', { sign, code: thrown.code, error: thrown.message });
    return { reply: undefined, usage: noUsage };
  }
}
