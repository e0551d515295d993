import type { Environment } from '../base/environment.ts';
import { parseTiers, type Tier } from '../sandbox/sandbox.ts';
import { variableOf, wordsOf } from './environment.ts';

/** The sandbox tiers from the environment, or the given ones if it sets none. An unknown tier is a failure. */
export function allowedTiers(env: Environment, otherwise?: readonly Tier[]): readonly Tier[] {
  const words = wordsOf(variableOf(env, 'sandbox.tiers'));
  return parseTiers(words.length > 0 ? words : (otherwise ?? []));
}
