/** Two more ways in which providers write an answer, for coding agents that speak them: OpenAI Responses and Gemini. */
import type { Wire } from './scripted-provider-wire.ts';

export function responsesWire(): Wire {
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const response = { id: 'resp_1', object: 'response', model: 'scripted', output: [] };
  let said = '';
  const items: object[] = [];
  const message = (): string[] => {
    if (said === '') return [];
    const text = said;
    said = '';
    const item = {
      type: 'message',
      id: `msg_${items.length}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    };
    items.push(item);
    return [event('response.output_item.done', { output_index: items.length - 1, item })];
  };
  return {
    contentType: 'text/event-stream',
    begin: () => [event('response.created', { response: { ...response, status: 'in_progress' } })],
    text(token) {
      said += token;
      return [];
    },
    thinking: () => [],
    thinkingEnd: () => [],
    call({ call, namespace, arguments: given, id = `call_${items.length + 1}` }) {
      const json = typeof given === 'string' ? given : JSON.stringify(given);
      const before = message();
      const named = { name: call, ...(namespace !== undefined && { namespace }) };
      const item = {
        ...{ type: 'function_call', id: `fc_${id}`, call_id: id },
        ...named,
        ...{ arguments: json, status: 'completed' },
      };
      items.push(item);
      return [
        ...before,
        event('response.output_item.added', {
          output_index: items.length - 1,
          item: { ...item, arguments: '' },
        }),
        event('response.output_item.done', { output_index: items.length - 1, item }),
      ];
    },
    error: (error) => [event('response.failed', { response: { ...response, status: 'failed', error } })],
    finish(_stop, { promptTokens }) {
      const usage = { input_tokens: promptTokens, output_tokens: 1, total_tokens: promptTokens + 1 };
      const last = message();
      const done = { ...response, status: 'completed', output: items, usage };
      return [...last, event('response.completed', { response: done })];
    },
  };
}

/** Streamed as events, or, asked for at once, as one object. */
export function geminiWire(form: 'stream' | 'whole'): Wire {
  const parts: object[] = [];
  const answer = (shown: readonly object[], promptTokens: number, finishReason?: string): object => ({
    candidates: [
      { index: 0, content: { role: 'model', parts: shown }, ...(finishReason && { finishReason }) },
    ],
    usageMetadata: {
      promptTokenCount: promptTokens,
      candidatesTokenCount: 1,
      totalTokenCount: promptTokens + 1,
    },
    modelVersion: 'scripted',
  });
  const line = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
  const said = (part: object): readonly string[] => {
    parts.push(part);
    return form === 'stream' ? [line(answer([part], 0))] : [];
  };
  return {
    contentType: form === 'stream' ? 'text/event-stream' : 'application/json',
    begin: () => [],
    text: (text) => said({ text }),
    thinking: () => [],
    thinkingEnd: () => [],
    call: ({ call: name, arguments: given }) =>
      said({ functionCall: { name, args: typeof given === 'string' ? JSON.parse(given) : given } }),
    error: ({ message }) => [JSON.stringify({ error: { code: 500, message, status: 'INTERNAL' } })],
    finish: (_stop, { promptTokens }) =>
      form === 'stream'
        ? [line(answer([{ text: '' }], promptTokens, 'STOP'))]
        : [JSON.stringify(answer(parts, promptTokens, 'STOP'))],
  };
}
