/**
 * Messages between a user, a model and its tools, independent of the provider.
 *
 * Invariant: a message is a value; it never changes once it is part of a conversation, so it is always written with
 * the same bytes.
 */
import type { JsonObject } from './json-value.ts';

export type Message = UserMessage | AssistantMessage;

/** A message to the model: the user's text, and results of tools. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly UserPart[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantPart[];
}

export type UserPart = TextPart | ImagePart | ToolResultPart;

export type AssistantPart = TextPart | ThinkingPart | RedactedThinkingPart | ToolCallPart;

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly kind: 'image';
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly base64: string;
}

export interface ThinkingPart {
  readonly kind: 'thinking';
  readonly text: string;
  /** The provider's signature of the thinking; without it the thinking is not sent back. */
  readonly signature?: string;
}

/** Encrypted thinking; sent back unchanged. */
export interface RedactedThinkingPart {
  readonly kind: 'redacted-thinking';
  readonly data: string;
}

export interface ToolCallPart {
  readonly kind: 'tool-call';
  readonly id: string;
  readonly name: string;
  readonly input: ToolInput;
}

/** Models write arguments as text, which is not always valid JSON. */
export type ToolInput =
  | { readonly kind: 'object'; readonly value: JsonObject }
  | { readonly kind: 'malformed'; readonly text: string };

export interface ToolResultPart {
  readonly kind: 'tool-result';
  /** The answered call. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly outcome: 'done' | 'failed';
}

export function userText(text: string): UserMessage {
  return { role: 'user', content: [{ kind: 'text', text }] };
}

/** The text of a message, without thinking and tools. */
export function textOf({ content }: Message): string {
  return content.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

export function toolCallsOf({ content }: AssistantMessage): readonly ToolCallPart[] {
  return content.filter((part) => part.kind === 'tool-call');
}

/** Arguments as they are sent back: invalid JSON is shown to the model as it wrote it. */
export function replayedInput(input: ToolInput): JsonObject {
  return input.kind === 'object' ? input.value : { malformed_arguments: input.text };
}
