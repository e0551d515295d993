import { Failure } from '../base/failure.ts';

/** Failures of operations on the files of an overlay. */

export class NoSuchFile extends Failure {
  readonly code = 'overlay/no-such-file';
  readonly remedy = 'Check the path, or create the file first.';

  constructor(path: string) {
    super(`there is no file "${path}"`);
  }
}

export class NotText extends Failure {
  readonly code = 'overlay/not-text';
  readonly remedy = 'Only UTF-8 text can be edited in place; write the whole content instead.';

  constructor(path: string) {
    super(`"${path}" is not a text file`);
  }
}

export class FileExists extends Failure {
  readonly code = 'overlay/file-exists';
  readonly remedy = 'Choose another path, or allow overwriting.';

  constructor(path: string) {
    super(`"${path}" exists already`);
  }
}

export class NotAFilePath extends Failure {
  readonly code = 'overlay/not-a-file-path';
  readonly remedy =
    'Name a file or a directory inside the workspace, and do not move a directory into itself.';

  constructor(path: string) {
    super(path === '' ? 'the workspace root cannot be replaced' : `"${path}" cannot be moved into itself`);
  }
}

export class DirectoryNotEmpty extends Failure {
  readonly code = 'overlay/directory-not-empty';
  readonly remedy = 'Ask for a recursive deletion, or delete the files in it first.';

  constructor(path: string) {
    super(`"${path}" is a directory that holds files`);
  }
}

export class MalformedEdit extends Failure {
  readonly code = 'overlay/malformed-edit';
  readonly remedy =
    'Send a WorkspaceEdit as the Language Server Protocol defines it, with `changes` or `documentChanges`.';
}
