/** Finds the model that a person asks for by name, or the one of the settings. */
import type { Settings } from '../../config/settings.ts';
import { discoverModel, type FoundModel, type ModelWish } from '../../model/discover-model.ts';
import { providerNames } from '../../model/provider.ts';

export type ModelFinder = (name: string | undefined, signal: AbortSignal) => Promise<FoundModel>;

export function modelFinder(settings: Settings, env: NodeJS.ProcessEnv): ModelFinder {
  return (name, signal) =>
    discoverModel({ wish: { ...settings.model, ...namedModel(name) }, env, keys: settings.keys }, signal);
}

/** A model as a person names it: `qwen3:8b`, or with its provider `ollama/qwen3:8b`. */
export function namedModel(word: string | undefined): Pick<ModelWish, 'provider' | 'name'> {
  if (word === undefined) return {};
  const provider = providerNames.find((each) => word.startsWith(`${each}/`));
  return provider ? { provider, name: word.slice(provider.length + 1) } : { name: word };
}
