/** Which model is found, on a machine where only scripted providers listen. */
import { describe, expect, test } from 'vitest';
import { type DiscoveryOptions, discoverModel } from '../../src/model/discover-model.ts';
import { collectReply } from '../../src/model/reply.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { impatientRetries, scriptedRequest } from '../support/scripted-provider-client.ts';

const calm = new AbortController().signal;

function discover(given: Partial<DiscoveryOptions>) {
  return discoverModel(
    { wish: {}, env: {}, keys: {}, local: [], retries: impatientRetries(), ...given },
    calm,
  );
}

async function nobody(): Promise<string> {
  const provider = await ScriptedProvider.open();
  const { url } = provider;
  await provider[Symbol.asyncDispose]();
  return url;
}

describe('a key in the environment', () => {
  test('names its provider, and the model is asked for', async () => {
    await using provider = await ScriptedProvider.open();
    provider.models = ['claude-opus-9', 'claude-sonnet-9', 'claude-sonnet-8'];
    const env = { ANTHROPIC_API_KEY: 'sk-a', ANTHROPIC_BASE_URL: provider.url };
    const { client, model } = await discover({ env });
    expect([client.name, model]).toEqual(['anthropic', 'claude-sonnet-9']);
    await collectReply(client.stream(scriptedRequest({ model }), calm));
    expect(provider.requests[0]?.headers).toMatchObject({
      'x-api-key': 'sk-a',
      'anthropic-version': '2023-06-01',
    });
  });

  test('comes before one in the settings, and before any local server', async () => {
    await using provider = await ScriptedProvider.open();
    const local = [{ provider: 'ollama', address: provider.url }] as const;
    const env = { OPENAI_API_KEY: 'sk-env', OPENAI_BASE_URL: `${provider.url}/v1` };
    const { client, model } = await discover({ env, keys: { openai: 'sk-file' }, local });
    await collectReply(client.stream(scriptedRequest({ model }), calm));
    expect(provider.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-env' },
    });
  });

  test('is not used for a model of another kind', async () => {
    await using provider = await ScriptedProvider.open();
    provider.models = ['qwen3:8b'];
    const local = [{ provider: 'ollama', address: provider.url }] as const;
    const found = await discover({ env: { ANTHROPIC_API_KEY: 'sk-a' }, wish: { name: 'qwen3:8b' }, local });
    expect(found).toMatchObject({ provider: 'ollama', model: 'qwen3:8b' });
  });

  test('never goes to the server of another provider', async () => {
    await using provider = await ScriptedProvider.open();
    const env = { OPENAI_API_KEY: 'sk-o', ANTHROPIC_API_KEY: 'sk-a' };
    provider.models = ['whatever'];
    const { client, model } = await discover({
      env,
      wish: { baseUrl: `${provider.url}/v1`, provider: 'lmstudio' },
    });
    await collectReply(client.stream(scriptedRequest({ model }), calm));
    expect(JSON.stringify(provider.requests[0]?.headers)).not.toMatch(/sk-[oa]/);
  });
});

describe('a local server', () => {
  const kinds = ['ollama', 'lmstudio', 'llamacpp', 'vllm'] as const;
  test.each(kinds)('%s is found when it answers', async (kind) => {
    await using provider = await ScriptedProvider.open();
    provider.models = ['nomic-embed-text', 'small-coder'];
    const local = kinds.map((each) => ({
      provider: each,
      address: each === kind ? provider.url : 'http://127.0.0.1:9',
    }));
    const { client, model, provider: found } = await discover({ local });
    expect([found, model]).toEqual([kind, 'small-coder']);
    const reply = await collectReply(client.stream(scriptedRequest({ model }), calm));
    expect(reply.kind).toBe('complete');
  });

  test('is not asked beyond this machine', async () => {
    const local = [{ provider: 'ollama', address: 'http://192.0.2.1:11434' }] as const;
    await expect(discover({ local })).rejects.toMatchObject({ code: 'model/none-found' });
  });

  test('gets a context that is stated, fixed and within what the model can hold', async () => {
    await using provider = await ScriptedProvider.open();
    const local = [{ provider: 'ollama', address: provider.url }] as const;
    const { client, model, capability } = await discover({ local });
    expect(capability.contextTokens).toBe(32_768);
    await collectReply(client.stream(scriptedRequest({ model }), calm));
    expect(provider.requests[0]?.json).toMatchObject({ truncate: false, options: { num_ctx: 32_768 } });
    const wider = await discover({ local, wish: { contextTokens: 65_536 } });
    expect(wider.capability.contextTokens).toBe(65_536);
  });
});

describe('what the settings name wins', () => {
  test('a provider and its address', async () => {
    await using provider = await ScriptedProvider.open();
    provider.models = ['a', 'b'];
    const wish = { provider: 'vllm', baseUrl: provider.url, name: 'b' } as const;
    expect(await discover({ wish, env: { ANTHROPIC_API_KEY: 'sk-a' } })).toMatchObject({
      provider: 'vllm',
      model: 'b',
      address: `${provider.url}/v1`,
    });
  });

  test('an address alone, which is asked what it is', async () => {
    await using provider = await ScriptedProvider.open();
    expect(await discover({ wish: { baseUrl: provider.url } })).toMatchObject({ provider: 'ollama' });
  });

  test('an Ollama that listens elsewhere', async () => {
    await using provider = await ScriptedProvider.open();
    const env = { OLLAMA_HOST: provider.url.replace('http://127.0.0.1', '0.0.0.0') };
    expect(await discover({ env, wish: { provider: 'ollama' } })).toMatchObject({ address: provider.url });
  });
});

describe('what is missing is said with what to do', () => {
  test('nothing at all', async () => {
    const local = [{ provider: 'ollama', address: await nobody() }] as const;
    await expect(discover({ local })).rejects.toMatchObject({
      code: 'model/none-found',
      message: 'no model is available: no key is set and no local server answers',
      remedy: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
  });

  test('a server without models', async () => {
    await using provider = await ScriptedProvider.open();
    provider.models = [];
    await expect(discover({ local: [{ provider: 'ollama', address: provider.url }] })).rejects.toMatchObject({
      code: 'model/none-found',
      message: expect.stringContaining('Ollama answers but has no model'),
    });
  });

  test('a model no server has', async () => {
    await using provider = await ScriptedProvider.open();
    provider.models = ['qwen3:8b'];
    const local = [{ provider: 'ollama', address: provider.url }] as const;
    await expect(discover({ local, wish: { name: 'llama9' } })).rejects.toMatchObject({
      code: 'model/unknown-model',
      remedy: expect.stringContaining('qwen3:8b'),
    });
  });

  test('a provider without its key', async () => {
    await expect(discover({ wish: { provider: 'anthropic', name: 'claude-x' } })).rejects.toMatchObject({
      code: 'model/missing-key',
      remedy: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
  });

  test('a key with a line break in it, which is not repeated', async () => {
    const env = { ANTHROPIC_API_KEY: 'sk-one\nsk-two', ANTHROPIC_BASE_URL: await nobody() };
    const asked = discover({ env });
    await expect(asked).rejects.toMatchObject({ code: 'model/bad-key' });
    await expect(asked).rejects.not.toThrow(/sk-/);
  });

  test('a server of another kind', async () => {
    await using provider = await ScriptedProvider.open();
    const wish = { provider: 'vllm', baseUrl: `${provider.url}/api/show` } as const;
    await expect(discover({ wish })).rejects.toMatchObject({ code: 'model/unknown-model' });
  });

  test('a provider without its address', async () => {
    await expect(discover({ wish: { provider: 'openai-compatible' } })).rejects.toMatchObject({
      code: 'model/none-found',
    });
  });
});
