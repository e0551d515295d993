/** Failures of running commands in a session. */
import { Failure } from '../../base/failure.ts';

/** The session was edited while the command ran on the earlier state. */
export class SessionMoved extends Failure {
  readonly code = 'tools/session-moved';
  readonly remedy = 'The changes of the command were discarded. Run it again on the current session.';

  constructor(id: string) {
    super(`session ${id} was changed while the command ran`);
  }
}
