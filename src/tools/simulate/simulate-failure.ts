/** What running commands in a session refuses. */
import { Failure } from '../../base/failure.ts';

/** The session got other edits while the command ran on the earlier ones. */
export class SessionMoved extends Failure {
  readonly code = 'tools/session-moved';
  readonly remedy =
    'The changes of the command were not taken over. Run it again, on what the session holds now.';

  constructor(id: string) {
    super(`session ${id} was changed while the command ran`);
  }
}
