/** Failures of the agent's own tools, with remedies for a model. */
import { Failure } from '../base/failure.ts';

export class NotRead extends Failure {
  readonly code = 'agent/not-read';
  readonly remedy: string;

  constructor(shown: string) {
    super(`${shown} has not been read in this conversation`);
    this.remedy = `Read ${shown} first, then repeat the call.`;
  }
}

export class StaleRead extends Failure {
  readonly code = 'agent/stale-read';
  readonly remedy: string;

  constructor(shown: string) {
    super(`${shown} has changed since it was read`);
    this.remedy = `Read ${shown} again, then repeat the call.`;
  }
}

/** The text to replace does not occur in the file, or occurs more than once. */
export class NoSuchText extends Failure {
  readonly code = 'agent/no-such-text';
  readonly remedy = 'Copy old_string from the output of Read: without line numbers, with its white space.';

  constructor(shown: string, detail: string) {
    super(`old_string is not in ${shown}${detail}`);
  }
}

export class TextNotUnique extends Failure {
  readonly code = 'agent/text-not-unique';
  readonly remedy = 'Add surrounding lines to old_string, or set replace_all.';

  constructor(shown: string, count: number) {
    super(`old_string is in ${shown} ${count} times`);
  }
}

export class BadCall extends Failure {
  readonly code = 'agent/bad-call';
  readonly remedy: string;

  constructor(sentence: string, remedy: string) {
    super(sentence);
    this.remedy = remedy;
  }
}
