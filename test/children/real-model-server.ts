/**
 * Serves a real model on loopback as chat completions, in a process of its own: what goes wrong in the engine's machine code
 * ends this process and no other. It is started with the directory of the model, says on its first line where it listens,
 * and ends with its input.
 *
 * Invariant: one request is worked on at a time, in the order they came; one whose client has left is dropped.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { FifoLock } from '../../src/base/fifo-lock.ts';
import type { EngineRecord, EngineReport } from '../support/real-model.ts';
import { RealModelEngine } from '../support/real-model-engine.ts';

const engine = await RealModelEngine.open(process.argv[2] ?? '');
const turns = new FifoLock();
const records: EngineRecord[] = [];

const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  tool_calls: z.array(z.unknown()).default([]),
});

const requestSchema = z.object({
  messages: z.array(messageSchema).min(1),
  tools: z.array(z.unknown()).default([]),
  stream: z.boolean().default(false),
  max_tokens: z.int().min(1).default(256),
});

type ChatRequest = z.infer<typeof requestSchema>;

const server = createServer((request, response) => {
  serve(request, response).catch((thrown: unknown) => {
    if (response.destroyed) return;
    if (!response.headersSent) sendJson(response, 400, { error: { message: String(thrown) } });
    else response.destroy();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
process.stdin.resume().once('end', () => process.exit());

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  switch (`${request.method} ${request.url}`) {
    case 'GET /v1/models':
      return sendJson(response, 200, { object: 'list', data: [{ id: 'tinyllama', object: 'model' }] });
    case 'GET /engine':
      return report(response);
    case 'POST /v1/chat/completions':
      return complete(requestSchema.parse(await json(request)), response);
    default:
      return sendJson(response, 404, { error: { message: 'no such route' } });
  }
}

/** Comes after all that was asked before, so that what it tells is not about to change. */
async function report(response: ServerResponse): Promise<void> {
  using _turn = await turns.acquire(new AbortController().signal);
  const reported: EngineReport = { generatedTokens: engine.generatedTokens, requests: records };
  sendJson(response, 200, reported);
}

async function complete(request: ChatRequest, response: ServerResponse): Promise<void> {
  const prompt = engine.tokensOf(promptOf(request));
  const room = engine.contextTokens - prompt.length;
  if (room <= 0) {
    const message = `the request exceeds the available context size: ${prompt.length} tokens`;
    return sendJson(response, 400, { error: { type: 'exceed_context_size_error', message } });
  }
  const left = new AbortController();
  response.once('close', () => left.abort());
  using _turn = await turns.acquire(left.signal);
  const before = engine.generatedTokens;
  let whenLeft: number | undefined;
  left.signal.addEventListener('abort', () => {
    whenLeft = engine.generatedTokens;
  });
  const { rest, ...work } = await engine.take(prompt, left.signal);
  const telling = request.stream ? new StreamedAnswer(response) : new WholeAnswer(response);
  const answer = engine.answer(rest, { maxTokens: Math.min(request.max_tokens, room), signal: left.signal });
  let next = await answer.next();
  for (; !next.done; next = await answer.next()) telling.piece(next.value);
  const generatedTokens = engine.generatedTokens - before;
  records.push({
    ...work,
    generatedTokens,
    end: left.signal.aborted ? 'left' : 'complete',
    generatedAfterLeft: engine.generatedTokens - (whenLeft ?? engine.generatedTokens),
  });
  telling.end(next.value, {
    prompt_tokens: work.promptTokens,
    completion_tokens: generatedTokens,
    total_tokens: work.promptTokens + generatedTokens,
    prompt_tokens_details: { cached_tokens: work.cachedTokens },
  });
}

/** The template the model was trained with. It knows no tools: they are told of after the system prompt. */
function promptOf({ messages, tools }: ChatRequest): string {
  const reported =
    tools.length === 0 ? '' : `\n\nTools:\n${tools.map((tool) => JSON.stringify(tool)).join('\n')}`;
  const written = messages.map(({ role, content, tool_calls: calls }, index) => {
    const speaker = role === 'tool' ? 'user' : role;
    const called = calls.map((call) => `\n${JSON.stringify(call)}`).join('');
    return `<|${speaker}|>\n${content}${index === 0 ? reported : ''}${called}</s>\n`;
  });
  return `${written.join('')}<|assistant|>\n`;
}

interface TokenUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
}

class StreamedAnswer {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.#choice({ role: 'assistant', content: '' }, null);
  }

  piece(content: string): void {
    this.#choice({ content }, null);
  }

  end(reason: string, usage: TokenUsage): void {
    this.#choice({}, reason);
    this.#chunk({ choices: [], usage });
    this.#response.end('data: [DONE]\n\n');
  }

  #choice(delta: object, finish_reason: string | null): void {
    this.#chunk({ choices: [{ index: 0, delta, finish_reason }] });
  }

  #chunk(fields: object): void {
    const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'tinyllama', ...fields };
    this.#response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
}

class WholeAnswer {
  readonly #response: ServerResponse;
  #content = '';

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  piece(content: string): void {
    this.#content += content;
  }

  end(finish_reason: string, usage: TokenUsage): void {
    const message = { role: 'assistant', content: this.#content };
    const fields = { id: 'chatcmpl-1', object: 'chat.completion', model: 'tinyllama' };
    sendJson(this.#response, 200, { ...fields, choices: [{ index: 0, message, finish_reason }], usage });
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
