/** What keeps an overlay from being evaluated at all. */
import { Failure } from '../base/failure.ts';

/** Survived by every evaluation: the answer is given without the server, and says so. */
export class ServerStarting extends Failure {
  readonly code = 'session/server-starting';
  readonly remedy = 'Ask again: the start goes on, and the next answer finds the server running.';

  constructor(name: string, waitedMs: number) {
    super(`${name} was not ready within ${waitedMs} ms, so nothing was evaluated`);
  }
}
