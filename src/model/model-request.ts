/** Everything a model is asked with. */
import type { JsonObject } from './json-value.ts';
import type { Message } from './message.ts';

export interface ModelRequest {
  readonly model: string;
  /** Empty for none. */
  readonly system: string;
  readonly tools: readonly ToolDeclaration[];
  readonly messages: readonly Message[];
  readonly sampling: Sampling;
  readonly maxTokens: number;
  /** Absent means `auto`. Not every provider listens: see `ModelClient.toolForcing`. */
  readonly toolChoice?: ToolChoice;
  /**
   * Whether what is said last will be built upon. A discarded tail is not put into a provider's cache; the prefix
   * is read from there either way. Default: kept.
   */
  readonly tail?: 'kept' | 'discarded';
}

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** A model that has one of these fixed is not sent it. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
  readonly thinking: Thinking;
}

export const thinkingLevels = ['off', 'low', 'medium', 'high'] as const;

export type Thinking = (typeof thinkingLevels)[number];

export type ToolChoice = 'auto' | 'none' | 'required';
