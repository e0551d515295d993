/** A model that can be asked, whoever runs it. */
import type { Dialect } from './dialect.ts';
import type { ModelEvent } from './model-event.ts';
import type { ModelRequest } from './model-request.ts';

export interface ModelClient {
  /** The provider, as settings name it. */
  readonly name: string;
  /** How requests are written; what a shared prefix is frozen with. */
  readonly dialect: Dialect;
  /** Whether `toolChoice` is listened to. */
  readonly toolForcing: 'supported' | 'unsupported';
  /**
   * Asks, and answers piece by piece. Aborting, or leaving the loop, closes the connection at once.
   * What fails is thrown as a `ModelFailure`.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
