/** The known providers, as data. */
export const providerNames = [
  'anthropic',
  'openai',
  'ollama',
  'lmstudio',
  'llamacpp',
  'vllm',
  'openai-compatible',
] as const;

export type ProviderName = (typeof providerNames)[number];

export interface Provider {
  readonly title: string;
  readonly dialect: 'anthropic' | 'chat' | 'ollama';
  /** The default address; absent if there is none. */
  readonly address?: string;
  readonly key?: ProviderKey;
  /** The pattern of its model names, if they are recognisable. */
  readonly modelNames?: RegExp;
  /** Preferences if no model is named: the first model that matches the earliest of these, else the first. */
  readonly prefers: readonly RegExp[];
}

interface ProviderKey {
  readonly variable: string;
  readonly baseUrlVariable?: string;
  readonly setting: ApiKeyName;
}

/** Providers whose key may be in the user's settings. */
export const keyNames = ['anthropic', 'openai', 'openai-compatible'] as const;

export type ApiKeyName = (typeof keyNames)[number];

/** Excludes models for embeddings, sound or images. */
const conversational =
  /^(?!.*(embed|rerank|whisper|tts|dall-e|audio|realtime|transcribe|image|moderation)).*$/i;

export const providers: Readonly<Record<ProviderName, Provider>> = {
  anthropic: {
    title: 'Anthropic',
    dialect: 'anthropic',
    address: 'https://api.anthropic.com',
    key: { variable: 'ANTHROPIC_API_KEY', baseUrlVariable: 'ANTHROPIC_BASE_URL', setting: 'anthropic' },
    modelNames: /^claude/,
    prefers: [/^claude-sonnet/, /^claude/],
  },
  openai: {
    title: 'OpenAI',
    dialect: 'chat',
    address: 'https://api.openai.com/v1',
    key: { variable: 'OPENAI_API_KEY', baseUrlVariable: 'OPENAI_BASE_URL', setting: 'openai' },
    modelNames: /^(gpt-\d|o\d|chatgpt|codex)/,
    prefers: [/^gpt-\d+(\.\d+)?$/, /^gpt-/, conversational],
  },
  ollama: {
    title: 'Ollama',
    dialect: 'ollama',
    address: 'http://127.0.0.1:11434',
    prefers: [/coder/i, conversational],
  },
  lmstudio: {
    title: 'LM Studio',
    dialect: 'chat',
    address: 'http://127.0.0.1:1234/v1',
    prefers: [/coder/i, conversational],
  },
  llamacpp: {
    title: 'llama.cpp',
    dialect: 'chat',
    address: 'http://127.0.0.1:8080/v1',
    prefers: [conversational],
  },
  vllm: {
    title: 'vLLM',
    dialect: 'chat',
    address: 'http://127.0.0.1:8000/v1',
    prefers: [conversational],
  },
  'openai-compatible': {
    title: 'the server',
    dialect: 'chat',
    // A separate key: one for another provider must not be sent to an arbitrary server.
    key: { variable: 'FORERUN_API_KEY', setting: 'openai-compatible' },
    prefers: [conversational],
  },
};

/** Local servers in order of preference if several answer. */
export const localProviders = ['ollama', 'lmstudio', 'llamacpp', 'vllm'] as const;
