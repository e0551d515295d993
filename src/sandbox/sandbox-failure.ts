/** Failures of sandboxes. */
import { Failure } from '../base/failure.ts';

export class SandboxUnavailable extends Failure {
  readonly code = 'sandbox/unavailable';
  readonly remedy =
    'Allow unprivileged user namespaces, or set sandbox.tiers: copied runs commands unconfined on a copy, readonly runs only commands that provably change nothing.';

  constructor(refusals: readonly string[]) {
    super(`no sandbox can be opened here: ${refusals.join('; ')}`);
  }
}

export class UnknownTier extends Failure {
  readonly code = 'sandbox/unknown-tier';
  readonly remedy = 'Set sandbox.tiers to a list of isolated, copied and readonly, the preferred one first.';

  constructor(word: string) {
    super(`unknown sandbox tier "${word}"`);
  }
}

/** The confinement itself failed, so the command was not started. */
export class CommandNotStarted extends Failure {
  readonly code = 'sandbox/not-started';
  readonly remedy =
    'Use an existing directory; if it exists, open a new sandbox, because this one is damaged.';

  constructor(reason: string) {
    super(`the command was not started: ${reason}`);
  }
}

export class HarvestTooLarge extends Failure {
  readonly code = 'sandbox/harvest-too-large';
  readonly remedy =
    'Write generated files outside the workspace (for example below /tmp, which is deleted with the sandbox), or raise the limit.';

  constructor(what: string) {
    super(`the changes of the commands exceed the limit: ${what}`);
  }
}
