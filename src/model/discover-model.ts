/**
 * Chooses a model: the one in the settings, else one of a provider with a key, else one of a running local server.
 *
 * Invariant: without an address from the user, only the provider's own address and loopback are contacted.
 */
import type { ModelCapability } from './model-capability.ts';
import { capabilityOf } from './model-capability.ts';
import type { ModelClient } from './model-client.ts';
import { addressOf, contextFor, isLoopback, type ModelEndpoint, openModelClient } from './model-endpoint.ts';
import { MissingKey, NoModelFound, UnknownModel } from './model-failure.ts';
import { describeOllamaModel, type ListedModel, listModels } from './model-listing.ts';
import { type ApiKeyName, localProviders, type ProviderName, providers } from './provider.ts';
import type { RetryPolicy } from './retry-policy.ts';

export interface DiscoveryOptions {
  readonly wish: ModelWish;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Keys from the user's settings; those in the environment take precedence. */
  readonly keys: Readonly<Partial<Record<ApiKeyName, string | undefined>>>;
  /** The addresses of local servers; default: their default ports. */
  readonly local?: readonly LocalServer[];
  readonly retries?: RetryPolicy;
}

/** The user's choices; all are optional. */
export interface ModelWish {
  readonly provider?: ProviderName | undefined;
  readonly name?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly contextTokens?: number | undefined;
}

export interface LocalServer {
  readonly provider: ProviderName;
  readonly address: string;
}

export interface FoundModel {
  readonly client: ModelClient;
  readonly provider: ProviderName;
  readonly model: string;
  readonly address: string;
  readonly capability: ModelCapability;
}

const probeMs = 500;
const listMs = 10_000;

export async function discoverModel(options: DiscoveryOptions, signal: AbortSignal): Promise<FoundModel> {
  const { wish } = options;
  if (wish.provider) return found(options, endpointOf(options, wish.provider), signal);
  if (wish.baseUrl) return found(options, await identified(options, wish.baseUrl, signal), signal);
  const keyed = providersWithKey(options).find((provider) => isNamedBy(provider, wish.name));
  if (keyed) return found(options, endpointOf(options, keyed), signal);
  const answering = await probe(localServers(options), signal);
  const fitting = answering.find(({ models }) => canServe(models, wish.name));
  if (fitting) return found(options, fitting.endpoint, signal);
  throw nothingFound(wish, answering);
}

async function found(
  { wish, retries }: DiscoveryOptions,
  endpoint: ModelEndpoint,
  signal: AbortSignal,
): Promise<FoundModel> {
  const { provider, address } = endpoint;
  const model = wish.name ?? (await preferredModel(endpoint, signal));
  const described =
    provider === 'ollama'
      ? await describeOllamaModel(endpoint, { name: model, timeoutMs: listMs }, signal)
      : undefined;
  const known = capabilityOf(provider, model);
  const contextTokens = wish.contextTokens ?? contextFor(provider, model, described?.contextTokens);
  const thinking = described && !described.canThink ? 'none' : known.thinking;
  const client = openModelClient({
    endpoint,
    contextTokens,
    thinking: thinking === 'none' || thinking === 'effort' ? thinking : 'switch',
    ...(retries && { retries }),
  });
  return { client, provider, model, address, capability: { ...known, contextTokens, thinking } };
}

function endpointOf({ wish, env, keys }: DiscoveryOptions, provider: ProviderName): ModelEndpoint {
  const { address, key } = providers[provider];
  const secret = (key && (env[key.variable] || keys[key.setting])?.trim()) || undefined;
  const variable = key?.baseUrlVariable;
  const given = wish.baseUrl || (variable && env[variable]) || ownAddress(provider, env) || address;
  if (given === undefined)
    throw new NoModelFound(`model.provider is ${provider}, which needs an address in model.baseUrl`);
  const isOwn = given === address;
  if (key && isOwn && !secret) throw new MissingKey(provider, key.variable);
  // Other servers at OpenAI's place accept what compatible servers accept, not what OpenAI accepts.
  const speaker = provider === 'openai' && !isOwn ? 'openai-compatible' : provider;
  return { provider: speaker, address: addressOf(speaker, given), key: secret };
}

/**
 * An address without a provider: Ollama identifies itself, any other server is assumed to support chat completions.
 */
async function identified(
  options: DiscoveryOptions,
  baseUrl: string,
  signal: AbortSignal,
): Promise<ModelEndpoint> {
  const [ollama] = await probe([{ provider: 'ollama', address: baseUrl }], signal);
  return ollama?.endpoint ?? endpointOf(options, 'openai-compatible');
}

function providersWithKey({ env, keys }: DiscoveryOptions): readonly ProviderName[] {
  return (['anthropic', 'openai'] as const).filter((provider) => {
    const key = providers[provider].key;
    return key && (env[key.variable] || keys[key.setting]);
  });
}

function isNamedBy(provider: ProviderName, name: string | undefined): boolean {
  return name === undefined || providers[provider].modelNames?.test(name) === true;
}

interface Answering {
  readonly endpoint: ModelEndpoint;
  readonly models: readonly ListedModel[];
}

function localServers({ local, env }: DiscoveryOptions): readonly LocalServer[] {
  const servers =
    local ??
    localProviders.map((provider) => ({
      provider,
      address: ownAddress(provider, env) ?? providers[provider].address ?? '',
    }));
  return servers.filter(({ address }) => isLoopback(address));
}

/** Asks all concurrently; a server that does not answer in time, or not like a model server, is ignored. */
async function probe(servers: readonly LocalServer[], signal: AbortSignal): Promise<readonly Answering[]> {
  const answers = await Promise.all(
    servers.map(async ({ provider, address }): Promise<readonly Answering[]> => {
      const endpoint = { provider, address: addressOf(provider, address), key: undefined };
      try {
        return [{ endpoint, models: await listModels(endpoint, { timeoutMs: probeMs }, signal) }];
      } catch {
        signal.throwIfAborted();
        return [];
      }
    }),
  );
  return answers.flat();
}

/** Ollama's address is in a variable that clients read too; other servers have none. */
function ownAddress(provider: ProviderName, env: DiscoveryOptions['env']): string | undefined {
  const host = provider === 'ollama' ? env.OLLAMA_HOST : undefined;
  if (!host) return undefined;
  const written = /^https?:\/\//.test(host) ? host : `http://${host}`;
  if (!URL.canParse(written)) return undefined;
  const url = new URL(written);
  // Listening on all addresses includes loopback.
  const name = /^(0\.0\.0\.0|\[::\])$/.test(url.hostname) ? '127.0.0.1' : url.hostname;
  const address = `${url.protocol}//${name}:${url.port || 11_434}`;
  return isLoopback(address) ? address : undefined;
}

function canServe(models: readonly ListedModel[], name: string | undefined): boolean {
  return name === undefined ? models.length > 0 : models.some((model) => isSameModel(model.name, name));
}

/** Ollama omits the tag `latest`. */
function isSameModel(listed: string, name: string): boolean {
  return listed === name || listed === `${name}:latest`;
}

async function preferredModel(endpoint: ModelEndpoint, signal: AbortSignal): Promise<string> {
  const { prefers, title } = providers[endpoint.provider];
  const models = await listModels(endpoint, { timeoutMs: listMs }, signal);
  const ranked = [undefined, ...prefers].flatMap((pattern) =>
    models.filter(({ name, isLoaded }) => (pattern ? pattern.test(name) : isLoaded && !/embed/i.test(name))),
  );
  for (const { name } of ranked) {
    if (endpoint.provider !== 'ollama') return name;
    const { canCallTools } = await describeOllamaModel(endpoint, { name, timeoutMs: listMs }, signal);
    if (canCallTools) return name;
  }
  throw new NoModelFound(`${title} at ${endpoint.address} answers but has no suitable model`);
}

function nothingFound({ name }: ModelWish, answering: readonly Answering[]): NoModelFound | UnknownModel {
  const listed = answering.flatMap(({ models }) => models.map((model) => model.name));
  if (name !== undefined && listed.length > 0)
    return new UnknownModel(`no server on this machine has the model ${name}`, listed);
  const titles = answering.map(({ endpoint }) => providers[endpoint.provider].title);
  const local =
    titles.length > 0 ? `${titles.join(', ')} answers but has no model` : 'no local server answers';
  const wanted = name === undefined ? '' : ` for ${name}`;
  return new NoModelFound(`no model is available${wanted}: no key is set and ${local}`);
}
