/** Failures that prevent an evaluation. */
import { Failure } from '../base/failure.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

/** Caught by every evaluation: it answers without the server and says so. */
export class ServerStarting extends Failure {
  readonly code = 'session/server-starting';
  readonly remedy = 'Ask again: the start goes on, and the next answer finds the server running.';

  constructor(name: string, waitedMs: number) {
    super(`${name} was not ready within ${waitedMs} ms, so nothing was evaluated`);
  }
}

/** Thrown by callers that cannot answer without a verdict; the Evaluator itself returns `stale`. */
export class EvaluationStale extends Failure {
  readonly code = 'evaluation/stale';
  readonly remedy = 'Nothing was evaluated. Read these files again, make the change on them, and ask again.';

  constructor(paths: readonly WorkspacePath[]) {
    super(`the disk does not hold what the change was made on: ${paths.join(', ')}`);
  }
}

/** The failure of a server, as an Evaluator reports it in its answer. */
export class ServerFailed extends Failure {
  readonly code: string;
  readonly remedy: string;

  constructor(message: string, { code, remedy }: { readonly code: string; readonly remedy: string }) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}
