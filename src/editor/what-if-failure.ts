/** Failures of what-ifs, in the words of the page. */
import { Failure } from '../base/failure.ts';

export class NoWhatIf extends Failure {
  readonly code = 'editor/no-what-if';
  readonly remedy = 'It was committed or discarded meanwhile; look at the list again.';

  constructor(id: string) {
    super(id === 'unsaved' ? 'there is no unsaved text' : `this what-if no longer exists: ${id}`);
  }
}

export class NoStore extends Failure {
  readonly code = 'editor/no-store';
  readonly remedy = 'Start the editor with a state directory that it can write to.';

  constructor() {
    super('what-ifs are not stored here');
  }
}

export class NotUndoable extends Failure {
  readonly code = 'editor/not-undoable';
  readonly remedy = 'Undo what was written after it first, or change the files by hand.';

  constructor(title: string) {
    super(`“${title}” was not the last commit from here, or its files have changed since`);
  }
}

export class NotTakeable extends Failure {
  readonly code = 'editor/not-takeable';
  readonly remedy = 'Commit it instead; buffers hold changed text only.';

  constructor(title: string, path: string) {
    super(`“${title}” cannot be taken into buffers: it creates, deletes or moves ${path}`);
  }
}
