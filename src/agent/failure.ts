/** What the agent's own tools refuse, in sentences a model can act on. */
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
    this.remedy = `Read ${shown} again and repeat the call on what it holds now.`;
  }
}

/** The text to replace is not what the file holds, or not there alone. */
export class NoSuchText extends Failure {
  readonly code = 'agent/no-such-text';
  readonly remedy = 'Copy old_string from what Read shows, without the line numbers, white space included.';

  constructor(shown: string, detail: string) {
    super(`old_string is not in ${shown}${detail}`);
  }
}

export class TextNotUnique extends Failure {
  readonly code = 'agent/text-not-unique';
  readonly remedy = 'Put more of the surrounding lines into old_string, or set replace_all.';

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
