/** The address and protocol of a model, and its client. */
import { Failure } from '../base/failure.ts';
import { anthropicDialect } from './anthropic-dialect.ts';
import { AnthropicStream } from './anthropic-stream.ts';
import { type ChatTraits, chatDialect } from './chat-dialect.ts';
import { ChatStream } from './chat-stream.ts';
import { eventFraming, lineFraming } from './framing.ts';
import { HttpModelClient, type HttpModelOptions } from './http-model-client.ts';
import { capabilityOf } from './model-capability.ts';
import type { ModelClient } from './model-client.ts';
import { BadKey } from './model-failure.ts';
import { ollamaDialect } from './ollama-dialect.ts';
import { OllamaStream } from './ollama-stream.ts';
import { type Provider, type ProviderName, providers } from './provider.ts';
import { politeRetries, type RetryPolicy } from './retry-policy.ts';

export interface ModelEndpoint {
  readonly provider: ProviderName;
  /** In the form of `addressOf`. */
  readonly address: string;
  readonly key: string | undefined;
}

export interface ModelClientOptions {
  readonly endpoint: ModelEndpoint;
  /** The context size of every request, if the server lets clients choose. */
  readonly contextTokens: number;
  readonly thinking?: 'none' | 'switch' | 'effort';
  readonly retries?: RetryPolicy;
}

export function openModelClient(options: ModelClientOptions): ModelClient {
  const { endpoint, retries = politeRetries } = options;
  const provider = providers[endpoint.provider];
  return new HttpModelClient({
    name: endpoint.provider,
    title: provider.title,
    headers: keyHeaders(endpoint),
    key: { variable: provider.key?.variable, secret: endpoint.key },
    retries,
    ...speechOf(provider, options),
  });
}

type Speech = Pick<HttpModelOptions, 'dialect' | 'toolForcing' | 'url' | 'framing' | 'reader'>;

function speechOf(
  { dialect }: Provider,
  { endpoint, contextTokens, thinking = 'switch' }: ModelClientOptions,
): Speech {
  const { provider, address } = endpoint;
  switch (dialect) {
    case 'anthropic':
      return {
        dialect: anthropicDialect,
        toolForcing: 'supported',
        url: `${address}/v1/messages`,
        framing: eventFraming,
        reader: () => new AnthropicStream(),
      };
    case 'chat':
      return {
        dialect: chatDialect(chatTraits(provider)),
        toolForcing: 'supported',
        url: `${address}/chat/completions`,
        framing: eventFraming,
        reader: () => new ChatStream(),
      };
    case 'ollama':
      return {
        dialect: ollamaDialect({ contextTokens, thinking }),
        toolForcing: 'unsupported',
        url: `${address}/api/chat`,
        framing: lineFraming,
        reader: () => new OllamaStream(),
      };
  }
}

function chatTraits(provider: ProviderName): ChatTraits {
  const limitField = provider === 'openai' ? 'max_completion_tokens' : 'max_tokens';
  const hasTemplateSwitch = provider === 'llamacpp' || provider === 'vllm';
  const thinkingField =
    provider === 'openai' ? 'reasoning_effort' : hasTemplateSwitch ? 'chat_template_kwargs' : undefined;
  return { provider, limitField, thinkingField };
}

/** The authentication headers for this kind of server. */
export function keyHeaders({ provider, key }: ModelEndpoint): Readonly<Record<string, string>> {
  // A key that cannot be in a header would be repeated in the error message.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new BadKey(
      `the key for ${provider} contains invalid characters`,
      providers[provider].key?.variable,
    );
  const version = { 'anthropic-version': '2023-06-01' };
  if (providers[provider].dialect === 'anthropic') return key ? { ...version, 'x-api-key': key } : version;
  return key ? { authorization: `Bearer ${key}` } : {};
}

class BadAddress extends Failure {
  readonly code = 'model/bad-address';
  readonly remedy = 'Give an address such as http://127.0.0.1:11434, without a user name or password in it.';
}

/**
 * The base address for requests. Users write it with and without the version at its end; chat completions need it,
 * the others add their own.
 */
export function addressOf(provider: ProviderName, given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new BadAddress(`"${given}" is not a server address`);
  if (url.username || url.password)
    throw new BadAddress('the server address contains a user name or password');
  const path = url.pathname.replace(/\/+$/, '');
  const isChat = providers[provider].dialect === 'chat';
  const wanted = isChat ? path || '/v1' : path.replace(/\/(v1|api)$/, '');
  return `${url.origin}${wanted}`;
}

/** Whether a server at this address is on this machine. */
export function isLoopback(address: string): boolean {
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The context size to request, if the server lets clients choose. */
export function contextFor(provider: ProviderName, model: string, known: number | undefined): number {
  const { contextTokens } = capabilityOf(provider, model);
  return known === undefined ? contextTokens : Math.min(known, contextTokens);
}
