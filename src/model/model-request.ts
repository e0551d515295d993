/** A request to a model. */
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
  /** Absent means `auto`. Not every provider supports it: see `ModelClient.toolForcing`. */
  readonly toolChoice?: ToolChoice;
  /**
   * Whether later requests will continue this one. A discarded tail is not written to a provider's cache; the prefix
   * is read from there in both cases. Default: kept.
   */
  readonly tail?: 'kept' | 'discarded';
}

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** Parameters that are fixed for a model are not sent to it. */
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
