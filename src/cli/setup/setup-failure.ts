/** Failures of a set-up. Each is detected before the first file is written. */
import { Failure } from '../../base/failure.ts';

export class BrokenConfig extends Failure {
  readonly code = 'cli/broken-config';
  readonly remedy = 'Fix the file, or move it away, and run the command again. Nothing was written.';

  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`${file} cannot be read: ${reason}`, options);
  }
}

/** The file is valid, but the part to change has a form that we do not edit. */
export class UneditableConfig extends Failure {
  readonly code = 'cli/uneditable-config';
  readonly remedy: string;

  constructor(file: string, reason: string, remedy: string) {
    super(`${file} cannot be edited: ${reason}`);
    this.remedy = `${remedy} Nothing was written.`;
  }
}

export class SetupConflict extends Failure {
  readonly code = 'cli/setup-conflict';
  readonly remedy = 'Close the program that is writing the file and run the command again.';

  constructor(files: readonly string[]) {
    super(`changed by another program in the meantime: ${files.join(', ')}`);
  }
}

export class UnknownTarget extends Failure {
  readonly code = 'cli/unknown-target';
  readonly remedy: string;

  constructor(id: string, known: readonly string[]) {
    super(`there is no client "${id}"`);
    this.remedy = `Name one of: ${known.join(', ')}; or give a file with --path.`;
  }
}

/** Without a terminal there is no one to ask, and a client is not guessed. */
export class NoTarget extends Failure {
  readonly code = 'cli/no-target';
  readonly remedy =
    'Name the client with --target, or add --non-interactive to connect Claude Code in this project.';

  constructor() {
    super('no client is named and there is no terminal to ask on; nothing was written');
  }
}

export class NoAnswer extends Failure {
  readonly code = 'cli/no-answer';
  readonly remedy = 'Give the client with --target, and add --non-interactive to skip all questions.';

  constructor(options: ErrorOptions) {
    super('the question was not answered; nothing was written', options);
  }
}
