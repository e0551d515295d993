/**
 * The capabilities of models, as data; unknown models get the defaults of their provider.
 *
 * Invariant: a parameter that a model refuses is never sent to it.
 */
import type { ProviderName } from './provider.ts';

export interface ModelCapability {
  /** Size of the context window: prompt and answer together. */
  readonly contextTokens: number;
  /** How thinking is requested. */
  readonly thinking: 'none' | 'budget' | 'adaptive' | 'effort' | 'switch';
  /** Whether temperature and similar parameters may be sent. */
  readonly sampling: 'settable' | 'fixed';
}

export function capabilityOf(provider: ProviderName, model: string): ModelCapability {
  const known = capabilities.find((row) => row.provider === provider && row.models.test(model));
  return known?.capability ?? defaults[provider];
}

const local: ModelCapability = { contextTokens: 32_768, thinking: 'switch', sampling: 'settable' };

/** A model newer than this table most likely behaves like the newest one in it. */
const defaults: Readonly<Record<ProviderName, ModelCapability>> = {
  anthropic: { contextTokens: 200_000, thinking: 'adaptive', sampling: 'fixed' },
  openai: { contextTokens: 128_000, thinking: 'effort', sampling: 'fixed' },
  ollama: local,
  lmstudio: local,
  llamacpp: local,
  vllm: local,
  'openai-compatible': { ...local, thinking: 'none' },
};

interface CapabilityRow {
  readonly provider: ProviderName;
  readonly models: RegExp;
  readonly capability: ModelCapability;
}

const capabilities: readonly CapabilityRow[] = [
  {
    provider: 'anthropic',
    models: /^claude-(opus|sonnet|haiku)-4-6/,
    capability: { contextTokens: 200_000, thinking: 'adaptive', sampling: 'settable' },
  },
  {
    provider: 'anthropic',
    models: /^claude-((opus|sonnet|haiku)-4(-[0-5])?(-\d{8})?$|3-7)/,
    capability: { contextTokens: 200_000, thinking: 'budget', sampling: 'settable' },
  },
  {
    provider: 'anthropic',
    models: /^claude-(3|2|instant)/,
    capability: { contextTokens: 200_000, thinking: 'none', sampling: 'settable' },
  },
  {
    provider: 'openai',
    models: /^(gpt-4|gpt-3|chatgpt)/,
    capability: { contextTokens: 128_000, thinking: 'none', sampling: 'settable' },
  },
  {
    provider: 'openai',
    models: /^gpt-[5-9]/,
    capability: { contextTokens: 272_000, thinking: 'effort', sampling: 'fixed' },
  },
  {
    provider: 'ollama',
    models: /^gpt-oss/,
    capability: { contextTokens: 32_768, thinking: 'effort', sampling: 'settable' },
  },
];
