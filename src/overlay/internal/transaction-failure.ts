import { Failure, messageOf } from '../../base/failure.ts';

/** What a commit can fail with. Except where it says otherwise the workspace is as it was before. */

export class CommitFailed extends Failure {
  readonly code = 'overlay/commit-failed';
  readonly remedy =
    'Nothing was changed. Check free space and permissions of the named file, then try again.';

  constructor(cause: unknown) {
    super(`the commit was undone: ${messageOf(cause)}`, { cause });
  }
}

/** The one failure after which the workspace is between two states; the journal says how to get out of it. */
export class CommitInterrupted extends Failure {
  readonly code = 'overlay/commit-interrupted';
  readonly remedy =
    'Some files may hold new content already. Make the workspace writable and start again, or commit anything: what is half done is undone first.';

  constructor(first: unknown, options: ErrorOptions) {
    super(`the commit failed and could not be undone: ${messageOf(first)}`, options);
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

export class CorruptTransaction extends Failure {
  readonly code = 'overlay/corrupt-transaction';
  readonly remedy =
    'An interrupted commit left a journal that cannot be read. Compare the workspace with its backups in the named directory, then delete that directory.';
}
