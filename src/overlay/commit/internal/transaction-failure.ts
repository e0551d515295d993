import { Failure, messageOf } from '../../../base/failure.ts';

/** The failures of a commit. Unless stated otherwise the workspace is as before. */

export class CommitFailed extends Failure {
  readonly code = 'overlay/commit-failed';
  readonly remedy =
    'Nothing was changed. Check free space and permissions of the named file, then try again.';

  constructor(cause: unknown) {
    super(`the commit was rolled back: ${messageOf(cause)}`, { cause });
  }
}

/** The one failure after which the workspace is between two states; recovery by the journal resolves it. */
export class CommitInterrupted extends Failure {
  readonly code = 'overlay/commit-interrupted';
  readonly remedy =
    'Some files may hold new content already. Make the workspace writable and start again, or commit anything: what is half done is rolled back first.';

  constructor(first: unknown, options?: ErrorOptions) {
    super(`a commit failed and could not be rolled back: ${messageOf(first)}`, options);
  }
}

export class CrossDevice extends Failure {
  readonly code = 'overlay/cross-device';
  readonly remedy = 'Open the mounted directory as a workspace of its own and commit there.';

  constructor(path: string) {
    super(
      `"${path}" lies on another file system than the workspace root, so it cannot be changed in one step`,
    );
  }
}

export class AliasedPaths extends Failure {
  readonly code = 'overlay/aliased-paths';
  readonly remedy = 'Change the file under one of its names only.';

  constructor(path: string, other: string) {
    super(`"${path}" and "${other}" are the same file on disk`);
  }
}

export class ProtectedPath extends Failure {
  readonly code = 'overlay/protected-path';
  readonly remedy =
    'Leave this path out of the change. Use git to change what is in .git, and forerun to change its state.';

  constructor(path: string, why: string) {
    super(`"${path}" ${why} and is never written by a commit`);
  }
}

export class JournalUnavailable extends Failure {
  readonly code = 'overlay/journal-unavailable';
  readonly remedy =
    'Make the named directory writable, or set XDG_STATE_HOME to a directory of your own, and try again. Nothing was changed.';

  constructor(directory: string, cause: unknown) {
    super(`a commit keeps its journal in "${directory}", which cannot be written: ${messageOf(cause)}`, {
      cause,
    });
  }
}

export class DecisionOutsideState extends Failure {
  readonly code = 'overlay/decision-outside-state';
  readonly remedy = 'Record the decision in a file below the state directory that the commit was given.';

  constructor(record: string, stateDirectory: string) {
    super(`the decision record "${record}" lies outside the state directory "${stateDirectory}"`);
  }
}

/** A journal that must not be used. Recovery sets it aside; no caller of a commit sees this. */
export class CorruptJournal extends Failure {
  readonly code = 'overlay/corrupt-journal';
  readonly remedy = 'Compare the workspace with your version control, then delete the journal.';
}
