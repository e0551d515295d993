/**
 * Requests for Ollama's chat API.
 *
 * Invariant: the context size is always given and the same for every request of a client, because another size makes
 * the server reload the model; a prompt that does not fit is refused, never shortened silently.
 */
import { headWithSystem, toolsMember, writtenResults } from './chat-dialect.ts';
import { type Dialect, plainDialect, type RequestHead } from './dialect.ts';
import { jsonMembers, jsonObject, jsonOf } from './json-value.ts';
import {
  type AssistantMessage,
  type Message,
  replayedInput,
  textOf,
  toolCallsOf,
  type UserMessage,
} from './message.ts';
import type { ModelRequest, Thinking } from './model-request.ts';

export interface OllamaTraits {
  readonly contextTokens: number;
  readonly thinking: 'none' | 'switch' | 'effort';
}

export function ollamaDialect(traits: OllamaTraits): Dialect {
  return plainDialect((request) => headOf(traits, request), written);
}

function headOf(traits: OllamaTraits, request: ModelRequest): RequestHead {
  const { model, sampling, maxTokens } = request;
  const system = request.system === '' ? '' : plainMessage('system', request.system);
  return headWithSystem({
    model: jsonMembers([['model', jsonOf(model)]]),
    sampling: jsonMembers([
      ['stream', 'true'],
      ['think', thinkOf(traits, sampling.thinking)],
      ['keep_alive', '"30m"'],
      ['truncate', 'false'],
      ['shift', 'false'],
      [
        'options',
        jsonObject([
          ['num_ctx', jsonOf(traits.contextTokens)],
          ['num_predict', jsonOf(maxTokens)],
          ['temperature', jsonOf(sampling.temperature)],
          ['top_p', jsonOf(sampling.topP)],
          ['seed', jsonOf(sampling.seed)],
          ['stop', jsonOf(sampling.stopSequences)],
        ]),
      ],
    ]),
    tools: toolsMember(request),
    system,
  });
}

/** A model without thinking refuses the parameter; one with thinking thinks unless told not to. */
function thinkOf({ thinking }: OllamaTraits, level: Thinking): string | undefined {
  if (thinking === 'none') return undefined;
  if (level === 'off') return 'false';
  return thinking === 'effort' ? jsonOf(level) : 'true';
}

function plainMessage(role: string, content: string): string {
  return jsonObject([
    ['role', jsonOf(role)],
    ['content', jsonOf(content)],
  ]);
}

function written(message: Message): string {
  return message.role === 'user' ? writtenUser(message) : writtenAssistant(message);
}

function writtenUser({ content }: UserMessage): string {
  const results = writtenResults(content, ({ name, id }) => [
    ['tool_name', jsonOf(name)],
    ['tool_call_id', jsonOf(id)],
  ]);
  const texts = content.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const images = content.flatMap((part) => (part.kind === 'image' ? [part.base64] : []));
  if (texts.length === 0 && images.length === 0) return results.join(',');
  const words = jsonObject([
    ['role', '"user"'],
    ['content', jsonOf(texts.join('\n'))],
    ['images', images.length > 0 ? jsonOf(images) : undefined],
  ]);
  return [...results, words].join(',');
}

/** Thinking is sent with its message: templates decide how much of it the model sees again. */
function writtenAssistant(message: AssistantMessage): string {
  const text = textOf(message);
  const thinking = message.content.map((part) => (part.kind === 'thinking' ? part.text : '')).join('');
  const calls = toolCallsOf(message).map(({ id, name, input }) =>
    jsonObject([
      ['id', jsonOf(id)],
      [
        'function',
        jsonObject([
          ['name', jsonOf(name)],
          ['arguments', jsonOf(replayedInput(input))],
        ]),
      ],
    ]),
  );
  if (text === '' && thinking === '' && calls.length === 0) return '';
  return jsonObject([
    ['role', '"assistant"'],
    ['content', jsonOf(text)],
    ['thinking', thinking === '' ? undefined : jsonOf(thinking)],
    ['tool_calls', calls.length > 0 ? `[${calls.join(',')}]` : undefined],
  ]);
}
