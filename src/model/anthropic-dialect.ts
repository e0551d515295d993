/**
 * Requests for the Anthropic Messages API.
 *
 * Invariant: cache marks are the only part of a message that depends on its position.
 */
import { markedMessages } from './cache-marks.ts';
import { closing, type Dialect, joinMessages, type RequestHead } from './dialect.ts';
import { jsonMembers, jsonObject, jsonOf } from './json-value.ts';
import { type AssistantPart, type Message, replayedInput, type UserPart } from './message.ts';
import { capabilityOf } from './model-capability.ts';
import type { ModelRequest, Thinking } from './model-request.ts';

export const anthropicDialect: Dialect = {
  head,

  message: (message) => written(message, 'plain'),

  body(request) {
    const marked = markedMessages(request.messages, request.tail ?? 'kept');
    const messages = request.messages.map((message, index) =>
      written(message, marked.has(index) ? 'marked' : 'plain'),
    );
    return `${joinMessages(head(request).opening, messages)}${closing}`;
  },
};

type Mark = 'marked' | 'plain';

const cacheControl = JSON.stringify({ type: 'ephemeral' });

function head(request: ModelRequest): RequestHead {
  const segments = {
    model: jsonMembers([['model', jsonOf(request.model)]]),
    sampling: samplingOf(request),
    tools: toolsOf(request),
    system: systemOf(request),
  };
  const { model, sampling, tools, system } = segments;
  const members = [model, sampling, tools, system].filter((member) => member !== '');
  return { segments, opening: `{${members.join(',')},"messages":[` };
}

/**
 * Models with a thinking budget need room for it below the limit, and a default temperature. Temperature and top p
 * together are refused.
 */
function samplingOf({ model, sampling, maxTokens, toolChoice }: ModelRequest): string {
  const { temperature, topP, stopSequences, thinking } = sampling;
  const { sampling: settable, thinking: mode } = capabilityOf('anthropic', model);
  const hasRoom = mode === 'adaptive' || maxTokens > leastBudget;
  const isThinking = thinking !== 'off' && mode !== 'none' && hasRoom;
  const isSampled = settable === 'settable' && !isThinking;
  const choice = toolChoice && { auto: 'auto', none: 'none', required: 'any' }[toolChoice];
  return jsonMembers([
    ['max_tokens', jsonOf(maxTokens)],
    ['stream', 'true'],
    ['temperature', isSampled ? jsonOf(temperature) : undefined],
    ['top_p', isSampled && temperature === undefined ? jsonOf(topP) : undefined],
    ['stop_sequences', jsonOf(stopSequences)],
    ['thinking', isThinking ? thinkingOf(mode, thinking, maxTokens) : undefined],
    [
      'output_config',
      isThinking && mode === 'adaptive' ? jsonObject([['effort', jsonOf(thinking)]]) : undefined,
    ],
    ['tool_choice', choice && jsonObject([['type', jsonOf(choice)]])],
  ]);
}

const budgets = { low: 2048, medium: 8192, high: 16_384 } as const;

/** The minimum budget; it must stay below the limit of the whole answer. */
const leastBudget = 1024;

function thinkingOf(mode: string, level: Exclude<Thinking, 'off'>, maxTokens: number): string {
  if (mode === 'adaptive') return jsonObject([['type', '"adaptive"']]);
  const budget = Math.max(leastBudget, Math.min(budgets[level], Math.floor(maxTokens / 2)));
  return jsonObject([
    ['type', '"enabled"'],
    ['budget_tokens', jsonOf(budget)],
  ]);
}

function toolsOf({ tools, system }: ModelRequest): string {
  if (tools.length === 0) return '';
  const list = tools.map(({ name, description, inputSchema }, index) =>
    jsonObject([
      ['name', jsonOf(name)],
      ['description', jsonOf(description)],
      ['input_schema', jsonOf(inputSchema)],
      ['cache_control', system === '' && index === tools.length - 1 ? cacheControl : undefined],
    ]),
  );
  return jsonMembers([['tools', `[${list.join(',')}]`]]);
}

function systemOf({ system }: ModelRequest): string {
  if (system === '') return '';
  const block = jsonObject([
    ['type', '"text"'],
    ['text', jsonOf(system)],
    ['cache_control', cacheControl],
  ]);
  return jsonMembers([['system', `[${block}]`]]);
}

function written({ role, content }: Message, mark: Mark): string {
  // Tool results come first, because they must follow their calls.
  const results = content.filter(({ kind }) => kind === 'tool-result');
  const others = content.filter(({ kind }) => kind !== 'tool-result');
  const blocks = [...results, ...others].flatMap(blockOf);
  if (blocks.length === 0) return '';
  const last = blocks.length - 1;
  const list = blocks.map((block, index) =>
    mark === 'marked' && index === last ? `${block.slice(0, -1)},"cache_control":${cacheControl}}` : block,
  );
  return jsonObject([
    ['role', jsonOf(role)],
    ['content', `[${list.join(',')}]`],
  ]);
}

/** The service refuses empty texts and thinking without a signature, so they are not sent. */
function blockOf(part: UserPart | AssistantPart): readonly string[] {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [block('text', [['text', jsonOf(part.text)]])];
    case 'image':
      return [block('image', [['source', imageSource(part.mediaType, part.base64)]])];
    case 'thinking':
      return part.signature === undefined ? [] : [thinkingBlock(part.text, part.signature)];
    case 'redacted-thinking':
      return [block('redacted_thinking', [['data', jsonOf(part.data)]])];
    case 'tool-call': {
      const { id, name, input } = part;
      return [
        block('tool_use', [
          ['id', jsonOf(acceptedId(id))],
          ['name', jsonOf(name)],
          ['input', jsonOf(replayedInput(input))],
        ]),
      ];
    }
    case 'tool-result':
      return [
        block('tool_result', [
          ['tool_use_id', jsonOf(acceptedId(part.id))],
          ['content', jsonOf(part.text)],
          ['is_error', part.outcome === 'failed' ? 'true' : undefined],
        ]),
      ];
  }
}

function block(type: string, members: readonly (readonly [string, string | undefined])[]): string {
  return jsonObject([['type', jsonOf(type)], ...members]);
}

function thinkingBlock(text: string, signature: string): string {
  return block('thinking', [
    ['thinking', jsonOf(text)],
    ['signature', jsonOf(signature)],
  ]);
}

function imageSource(mediaType: string, base64: string): string {
  return jsonObject([
    ['type', '"base64"'],
    ['media_type', jsonOf(mediaType)],
    ['data', jsonOf(base64)],
  ]);
}

/** Call ids of other providers may contain characters that are refused here. */
function acceptedId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, '_') || '_';
}
