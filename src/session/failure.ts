/** Failures of calls on a session. The sentences are contract: clients match them. */
import { Failure } from '../base/failure.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export class SessionNotFound extends Failure {
  readonly code = 'session/not-found';
  readonly remedy = 'List the sessions for the known ids, or create a new one.';

  constructor(id: string) {
    super(`session not found: ${id}`);
  }
}

export class SessionTerminal extends Failure {
  readonly code = 'session/terminal';
  readonly remedy = 'This session has ended: destroy it and create a new one.';

  constructor(id: string, state: string) {
    super(`session ${id} is in terminal state: ${state}`);
  }
}

export class SessionDirty extends Failure {
  readonly code = 'session/dirty';
  readonly remedy = 'Destroy this session and create a new one; what it holds can no longer be trusted.';
  readonly sessionId: string;

  constructor(id: string, options: ErrorOptions & { readonly reason: string }) {
    super(`session ${id} is dirty: ${options.reason}`, options);
    this.sessionId = id;
  }
}

export class SessionNotEvaluable extends Failure {
  readonly code = 'session/not-evaluable';
  readonly remedy = 'Evaluate a session before it is committed, discarded or destroyed.';

  constructor(id: string, state: string) {
    super(`session ${id} cannot be evaluated in state ${state}`);
  }
}

export class SessionNotCommittable extends Failure {
  readonly code = 'session/not-committable';
  readonly remedy = 'Only a session with edits can be committed, and only once.';

  constructor(id: string, state: string) {
    super(`session ${id} cannot be committed in state ${state}`);
  }
}

export class SessionConflict extends Failure {
  readonly code = 'session/conflict';
  readonly remedy =
    'Nothing was written. Read the files again and redo the edits in a new session, or commit with force to overwrite them.';
  readonly paths: readonly WorkspacePath[];

  constructor(id: string, paths: readonly WorkspacePath[]) {
    super(`conflict: changed on disk since session ${id} read them: ${paths.join(', ')}`);
    this.paths = paths;
  }
}

export class SessionOwned extends Failure {
  readonly code = 'session/owned';
  readonly remedy =
    'Another process works on this session: commit or discard it here, or edit it there. It can be resumed when that process has ended.';

  constructor(id: string, pid: number) {
    super(`session ${id} is owned by process ${pid}`);
  }
}

export class TooManySessions extends Failure {
  readonly code = 'session/too-many';
  readonly remedy = 'Destroy sessions that are no longer needed, or raise the limit in the settings.';

  constructor(limit: number) {
    super(`there are already ${limit} sessions`);
  }
}

export class ChainFailed extends Failure {
  readonly code: string;
  readonly remedy: string;

  constructor(step: number, doing: 'applying edit' | 'evaluating', cause: unknown) {
    super(`${doing} at step ${step}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.code = cause instanceof Failure ? cause.code : 'session/chain-failed';
    this.remedy =
      cause instanceof Failure ? cause.remedy : 'Earlier steps remain; fix this step and go on from there.';
  }
}
