/** Requests for the chat completions API of OpenAI and most local servers. */
import { type Dialect, plainDialect, type RequestHead } from './dialect.ts';
import { type JsonValue, jsonMembers, jsonObject, jsonOf } from './json-value.ts';
import {
  type AssistantMessage,
  type Message,
  replayedInput,
  type ToolResultPart,
  textOf,
  toolCallsOf,
  type UserMessage,
} from './message.ts';
import { capabilityOf } from './model-capability.ts';
import type { ModelRequest } from './model-request.ts';
import type { ProviderName } from './provider.ts';

/** Differences between servers of this dialect. */
export interface ChatTraits {
  readonly provider: ProviderName;
  readonly limitField: 'max_tokens' | 'max_completion_tokens';
  /** How thinking is controlled: by effort, by a switch of the chat template, or not at all. */
  readonly thinkingField: 'reasoning_effort' | 'chat_template_kwargs' | undefined;
}

export function chatDialect(traits: ChatTraits): Dialect {
  return plainDialect((request) => headOf(traits, request), written);
}

function headOf(traits: ChatTraits, request: ModelRequest): RequestHead {
  const system =
    request.system === ''
      ? ''
      : jsonObject([
          ['role', '"system"'],
          ['content', jsonOf(request.system)],
        ]);
  return headWithSystem({
    model: jsonMembers([['model', jsonOf(request.model)]]),
    sampling: samplingOf(traits, request),
    tools: toolsMember(request),
    system,
  });
}

function samplingOf(traits: ChatTraits, { model, sampling, maxTokens, toolChoice }: ModelRequest): string {
  const { temperature, topP, seed, stopSequences } = sampling;
  const isSettable = capabilityOf(traits.provider, model).sampling === 'settable';
  return jsonMembers([
    ['stream', 'true'],
    ['stream_options', jsonOf({ include_usage: true })],
    [traits.limitField, jsonOf(maxTokens)],
    ['temperature', isSettable ? jsonOf(temperature) : undefined],
    ['top_p', isSettable ? jsonOf(topP) : undefined],
    ['seed', jsonOf(seed)],
    ['stop', isSettable ? jsonOf(stopSequences) : undefined],
    ...thinkingMembers(traits, { model, sampling }),
    ['tool_choice', jsonOf(toolChoice)],
  ]);
}

function thinkingMembers(
  { provider, thinkingField }: ChatTraits,
  { model, sampling }: Pick<ModelRequest, 'model' | 'sampling'>,
): readonly (readonly [string, string | undefined])[] {
  const { thinking } = sampling;
  switch (thinkingField) {
    case 'reasoning_effort': {
      const isEffort = capabilityOf(provider, model).thinking === 'effort' && thinking !== 'off';
      return [['reasoning_effort', isEffort ? jsonOf(thinking) : undefined]];
    }
    case 'chat_template_kwargs':
      return [['chat_template_kwargs', jsonOf({ enable_thinking: thinking !== 'off' })]];
    case undefined:
      return [];
  }
}

/** A head that ends with the system prompt as the first message, in this dialect and Ollama's. */
export function headWithSystem(segments: RequestHead['segments']): RequestHead {
  const members = [segments.model, segments.sampling, segments.tools].filter((member) => member !== '');
  return { segments, opening: `{${members.join(',')},"messages":[${segments.system}` };
}

/** Tool declarations in this dialect and Ollama's. */
export function toolsMember({ tools }: ModelRequest): string {
  if (tools.length === 0) return '';
  const list = tools.map(({ name, description, inputSchema }) =>
    jsonObject([
      ['type', '"function"'],
      [
        'function',
        jsonObject([
          ['name', jsonOf(name)],
          ['description', jsonOf(description)],
          ['parameters', jsonOf(inputSchema)],
        ]),
      ],
    ]),
  );
  return jsonMembers([['tools', `[${list.join(',')}]`]]);
}

/** Tool results, each as a separate message as in Ollama's dialect; `callOf` writes the reference to the call. */
export function writtenResults(
  content: UserMessage['content'],
  callOf: (result: ToolResultPart) => readonly (readonly [string, string | undefined])[],
): readonly string[] {
  return content.flatMap((part) =>
    part.kind === 'tool-result'
      ? [jsonObject([['role', '"tool"'], ...callOf(part), ['content', jsonOf(part.text)]])]
      : [],
  );
}

function written(message: Message): string {
  return message.role === 'user' ? writtenUser(message) : writtenAssistant(message);
}

/** Tool results come first, because each must follow its call. */
function writtenUser({ content }: UserMessage): string {
  const results = writtenResults(content, ({ id }) => [['tool_call_id', jsonOf(id)]]);
  return [...results, ...spoken(content)].join(',');
}

function spoken(content: UserMessage['content']): readonly string[] {
  const parts = content.filter((part) => part.kind === 'text' || part.kind === 'image');
  if (parts.length === 0) return [];
  const hasImage = parts.some(({ kind }) => kind === 'image');
  const words = hasImage
    ? jsonOf(
        parts.map(
          (part): JsonValue =>
            part.kind === 'text'
              ? { type: 'text', text: part.text }
              : { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.base64}` } },
        ),
      )
    : jsonOf(parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n'));
  return [
    jsonObject([
      ['role', '"user"'],
      ['content', words],
    ]),
  ];
}

/** Thinking is not sent: most servers refuse it, or remove it from all turns but the last. */
function writtenAssistant(message: AssistantMessage): string {
  const text = textOf(message);
  const calls = toolCallsOf(message).map(({ id, name, input }) =>
    jsonObject([
      ['id', jsonOf(id)],
      ['type', '"function"'],
      [
        'function',
        jsonObject([
          ['name', jsonOf(name)],
          ['arguments', jsonOf(JSON.stringify(replayedInput(input)))],
        ]),
      ],
    ]),
  );
  if (text === '' && calls.length === 0) return '';
  return jsonObject([
    ['role', '"assistant"'],
    ['content', jsonOf(text)],
    ['tool_calls', calls.length > 0 ? `[${calls.join(',')}]` : undefined],
  ]);
}
