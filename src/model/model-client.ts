/** A model of any provider. */
import type { Dialect } from './dialect.ts';
import type { ModelEvent } from './model-event.ts';
import type { ModelRequest } from './model-request.ts';

export interface ModelClient {
  /** The provider's name in settings. */
  readonly name: string;
  /** The request format, which frozen prefixes use too. */
  readonly dialect: Dialect;
  /** Whether `toolChoice` is supported. */
  readonly toolForcing: 'supported' | 'unsupported';
  /**
   * Sends a request and streams the answer. Aborting, or leaving the loop, closes the connection at once. Failures
   * are thrown as `ModelFailure`.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
