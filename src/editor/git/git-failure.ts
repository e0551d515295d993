/** Failures of git in the editor. */
import { Failure } from '../../base/failure.ts';

export class UnsavedFiles extends Failure {
  readonly code = 'editor/unsaved-files';
  readonly remedy = 'Save them first; git takes files as they are on disk.';

  constructor(paths: readonly string[]) {
    super(`${paths.join(', ')} ${paths.length === 1 ? 'has' : 'have'} unsaved text`);
  }
}

export class NothingStaged extends Failure {
  readonly code = 'editor/nothing-staged';
  readonly remedy = 'Stage a file first, or change one.';

  constructor() {
    super('there is nothing to commit');
  }
}
