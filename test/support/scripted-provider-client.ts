/** Clients of a scripted provider, one per dialect, that wait for nothing when they try again. */
import type { ModelFinder } from '../../src/host/chat/model-finder.ts';
import type { ModelClient } from '../../src/model/model-client.ts';
import { addressOf, openModelClient } from '../../src/model/model-endpoint.ts';
import { NoModelFound } from '../../src/model/model-failure.ts';
import type { ModelRequest } from '../../src/model/model-request.ts';
import type { ProviderName } from '../../src/model/provider.ts';
import { politeRetries, type RetryPolicy } from '../../src/model/retry-policy.ts';
import type { ScriptedProvider } from './scripted-provider.ts';

/** A provider for each dialect. */
export const dialectProviders = ['anthropic', 'openai', 'ollama'] as const satisfies readonly ProviderName[];

export const scriptedKey = 'sk-scripted-0123456789';

/** The delays that would have been waited for are written to `waits`. */
export function impatientRetries(waits: number[] = []): RetryPolicy {
  return {
    attempts: politeRetries.attempts,
    delayMs: politeRetries.delayMs,
    wait: async (delayMs) => void waits.push(delayMs),
  };
}

export function scriptedClient(
  { url }: Pick<ScriptedProvider, 'url'>,
  provider: ProviderName,
  retries: RetryPolicy = impatientRetries(),
): ModelClient {
  const endpoint = { provider, address: addressOf(provider, url), key: scriptedKey };
  return openModelClient({ endpoint, contextTokens: 32_768, retries });
}

/** Finds the scripted model, whatever is asked for. */
export function scriptedFinder(provider: Pick<ScriptedProvider, 'url'>): ModelFinder {
  return async (name) => ({
    client: scriptedClient(provider, 'openai'),
    provider: 'openai-compatible',
    model: name ?? 'scripted',
    address: provider.url,
    capability: { contextTokens: 32_768, thinking: 'none', sampling: 'settable' },
  });
}

/** Finds nothing, as on a machine without a key and without a local server. */
export const noModel: ModelFinder = async () => {
  throw new NoModelFound('there is no model to ask: no key is set and no local server answers');
};

/** A small request; what matters to a test is laid over it. */
export function scriptedRequest(over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'claude-sonnet-4-5',
    system: 'You are terse.',
    tools: [
      {
        name: 'Read',
        description: 'Reads a file.',
        inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
    ],
    messages: [{ role: 'user', content: [{ kind: 'text', text: 'What is in a.ts?' }] }],
    sampling: { temperature: 0, thinking: 'off' },
    maxTokens: 1024,
    ...over,
  };
}
