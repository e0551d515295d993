/** Lists the models of a server. */
import { z } from 'zod';
import { Deadline } from '../base/deadline.ts';
import { reasonOf } from './http-model-client.ts';
import { parseJson } from './json-value.ts';
import { keyHeaders, type ModelEndpoint } from './model-endpoint.ts';
import { MalformedStream, ModelSilent, Unreachable } from './model-failure.ts';
import { providers } from './provider.ts';
import { failureOf, withoutSecret } from './provider-answer.ts';
import { excerpt } from './stream-reader.ts';

export interface ListedModel {
  readonly name: string;
  /** Loaded and ready. */
  readonly isLoaded: boolean;
}

/** The models in the server's order, newest first if it gives dates. */
export async function listModels(
  endpoint: ModelEndpoint,
  { timeoutMs }: { readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  return within(endpoint, { timeoutMs, signal }, (limited) =>
    providers[endpoint.provider].dialect === 'ollama'
      ? listOllama(endpoint, limited)
      : list(endpoint, limited),
  );
}

export interface OllamaModel {
  readonly contextTokens: number | undefined;
  readonly canCallTools: boolean;
  readonly canThink: boolean;
}

/** The details of one of Ollama's models. */
export async function describeOllamaModel(
  endpoint: ModelEndpoint,
  { name, timeoutMs }: { readonly name: string; readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<OllamaModel> {
  const body = JSON.stringify({ model: name });
  const { capabilities, model_info: facts } = await within(endpoint, { timeoutMs, signal }, (limited) =>
    ask(endpoint, { path: '/api/show', body, schema: showSchema }, limited),
  );
  const context = Object.entries(facts ?? {}).find(([fact]) => fact.endsWith('.context_length'))?.[1];
  return {
    contextTokens: typeof context === 'number' ? context : undefined,
    // Older servers do not list capabilities; then the model is assumed to call tools.
    canCallTools: capabilities?.includes('tools') ?? true,
    canThink: capabilities?.includes('thinking') ?? true,
  };
}

async function within<T>(
  { provider, address }: ModelEndpoint,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using deadline = new Deadline(timeoutMs, signal);
  try {
    return await work(deadline.signal);
  } catch (cause) {
    if (!deadline.expired) throw cause;
    const server = `${providers[provider].title} at ${address}`;
    throw new ModelSilent(`${server} did not answer within ${timeoutMs} ms`, { cause });
  }
}

async function list(endpoint: ModelEndpoint, signal: AbortSignal): Promise<readonly ListedModel[]> {
  const path = providers[endpoint.provider].dialect === 'anthropic' ? '/v1/models?limit=100' : '/models';
  const { data } = await ask(endpoint, { path, schema: listSchema }, signal);
  const newestFirst =
    endpoint.provider === 'openai' ? data.sort((a, b) => (b.created ?? 0) - (a.created ?? 0)) : data;
  return newestFirst.map(({ id }) => ({ name: id, isLoaded: false }));
}

async function listOllama(endpoint: ModelEndpoint, signal: AbortSignal): Promise<readonly ListedModel[]> {
  const [all, running] = await Promise.all([
    ask(endpoint, { path: '/api/tags', schema: tagsSchema }, signal),
    // Which models are loaded is optional information: older servers do not report it.
    ask(endpoint, { path: '/api/ps', schema: tagsSchema }, signal).catch(() => ({ models: [] })),
  ]);
  const loaded = new Set(running.models.map(({ name }) => name));
  return all.models.map(({ name }) => ({ name, isLoaded: loaded.has(name) }));
}

interface Question<T> {
  readonly path: string;
  readonly body?: string;
  readonly schema: z.ZodType<T>;
}

async function ask<T>(
  endpoint: ModelEndpoint,
  { path, body, schema }: Question<T>,
  signal: AbortSignal,
): Promise<T> {
  const { title, key } = providers[endpoint.provider];
  const headers = { ...keyHeaders(endpoint), 'content-type': 'application/json' };
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${endpoint.address}${path}`, {
      headers,
      ...(body !== undefined && { method: 'POST', body }),
      redirect: 'manual',
      signal,
    });
    text = await response.text();
  } catch (cause) {
    signal.throwIfAborted();
    throw new Unreachable(`${title} at ${endpoint.address} cannot be reached: ${reasonOf(cause)}`, { cause });
  }
  if (!response.ok) {
    const { status } = response;
    const inUse = { variable: key?.variable, secret: endpoint.key };
    throw failureOf({ title, model: '', status, body: text, retryAfterMs: undefined, key: inUse });
  }
  const read = schema.safeParse(parseJson(text));
  if (read.success) return read.data;
  const said = excerpt(withoutSecret(text, endpoint.key));
  throw new MalformedStream(`${endpoint.address} does not answer as ${title} does: ${said}`);
}

const listSchema = z.object({ data: z.array(z.object({ id: z.string(), created: z.number().nullish() })) });

const tagsSchema = z.object({ models: z.array(z.object({ name: z.string() })) });

const showSchema = z.object({
  capabilities: z.array(z.string()).nullish(),
  model_info: z.record(z.string(), z.unknown()).nullish(),
});
