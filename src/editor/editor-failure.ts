/** Failures of the editor, and the one place where any failure becomes what the page shows. */
import { Failure, messageOf } from '../base/failure.ts';
import type { WireFailure } from './protocol.ts';

export function pageFailureOf(thrown: unknown): WireFailure {
  if (thrown instanceof Failure) {
    const { code, message, remedy } = thrown;
    return { code, message, remedy };
  }
  const isAborted = thrown instanceof Error && thrown.name === 'AbortError';
  if (isAborted)
    return { code: 'editor/cancelled', message: 'The request was cancelled.', remedy: 'Ask again.' };
  return {
    code: 'editor/failed',
    message: messageOf(thrown),
    remedy: 'Try again; the log of forerun edit says more.',
  };
}

export class UnknownMethod extends Failure {
  readonly code = 'editor/unknown-method';
  readonly remedy = 'Load the page again: it was built for another version of Forerun.';

  constructor(method: string) {
    super(`this back end has no method ${JSON.stringify(method)}`);
  }
}

export class InvalidParams extends Failure {
  readonly code = 'editor/invalid-params';
  readonly remedy = 'Load the page again; if that does not help, report it.';

  constructor(method: string, reason: string) {
    super(`${method}: ${reason}`);
  }
}

export class TooManyRequests extends Failure {
  readonly code = 'editor/too-many-requests';
  readonly remedy = 'Wait for an answer, or cancel requests that are no longer needed.';

  constructor(limit: number) {
    super(`more than ${limit} requests of one page are waiting for an answer`);
  }
}

/** The text changed after the page made its request. */
export class StaleVersion extends Failure {
  readonly code = 'editor/stale-version';
  readonly remedy = 'Ask again about the current text.';

  constructor(path: string, { asked, current }: { readonly asked: number; readonly current: number }) {
    super(`${path} has version ${current}, the request was about version ${asked}`);
  }
}

export class NotOpen extends Failure {
  readonly code = 'editor/not-open';

  constructor(path: string, open: readonly string[]) {
    super(`no buffer is open for ${path}`);
    this.remedy =
      open.length === 0
        ? 'Open the file first; no buffer is open.'
        : `Open it first; open are: ${open.join(', ')}`;
  }

  readonly remedy: string;
}

export class InvalidUpdate extends Failure {
  readonly code = 'editor/invalid-update';
  readonly remedy = 'Load the page again; if that does not help, report it.';

  constructor(path: string, reason: string) {
    super(`a change to ${path} cannot be applied: ${reason}`);
  }
}

export class ReadOnlyBuffer extends Failure {
  readonly code = 'editor/read-only';
  readonly remedy = 'Edit another file; this one is shown as it is.';

  constructor(path: string, reason: string) {
    super(`${path} cannot be edited: ${reason}`);
  }
}

/** An edit of several files is made on contents that are gone; nothing was changed. */
export class ChangedSince extends Failure {
  readonly code = 'editor/changed-since';
  readonly remedy = 'Ask for the edit again; it is then worked out on the current text.';

  constructor(paths: readonly string[]) {
    super(`nothing was changed, since ${paths.join(', ')} changed meanwhile`);
  }
}

export class EditNotText extends Failure {
  readonly code = 'editor/edit-not-text';
  readonly remedy = 'Close the buffers of these files first.';

  constructor(paths: readonly string[]) {
    super(`the edit would put something else than text into ${paths.join(', ')}`);
  }
}

export class NothingToUndo extends Failure {
  readonly code = 'editor/nothing-to-undo';
  readonly remedy = 'Use the undo of the buffer for what was typed.';

  constructor() {
    super('no edit of several files is left to undo');
  }
}

export class UnknownPlan extends Failure {
  readonly code = 'editor/unknown-plan';
  readonly remedy = 'Ask for it again.';

  constructor(id: string) {
    super(`${id} is no longer kept`);
  }
}

export class CannotRename extends Failure {
  readonly code = 'editor/cannot-rename';
  readonly remedy = 'Put the caret on a name that is declared in this workspace.';

  constructor(path: string) {
    super(`there is nothing to rename at this place of ${path}`);
  }
}

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
