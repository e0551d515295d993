/** What a sandbox refuses, and why it could not be had. */
import { Failure } from '../base/failure.ts';

export class SandboxUnavailable extends Failure {
  readonly code = 'sandbox/unavailable';
  readonly remedy =
    'Allow unprivileged user namespaces, or name another tier in FORERUN_SANDBOX: copied runs commands unconfined on a copy, readonly runs only what provably changes nothing.';

  constructor(refusals: readonly string[]) {
    super(`no sandbox can be opened here: ${refusals.join('; ')}`);
  }
}

export class UnknownTier extends Failure {
  readonly code = 'sandbox/unknown-tier';
  readonly remedy =
    'FORERUN_SANDBOX takes isolated, copied and readonly, separated by commas, the preferred one first.';

  constructor(word: string) {
    super(`there is no sandbox tier called "${word}"`);
  }
}

/** The confinement itself failed, so the command was never started. */
export class CommandNotStarted extends Failure {
  readonly code = 'sandbox/not-started';
  readonly remedy =
    'Name a directory that exists; if it does, open a new sandbox, since this one is no longer whole.';

  constructor(reason: string) {
    super(`the command was not started: ${reason}`);
  }
}

export class HarvestTooLarge extends Failure {
  readonly code = 'sandbox/harvest-too-large';
  readonly remedy =
    'Keep generated files out of the workspace (a build directory below /tmp is lost with the sandbox), or raise the limit.';

  constructor(what: string) {
    super(`the commands changed more than can be taken over: ${what}`);
  }
}
