/**
 * Failures of the tools themselves, and prefixes for failures of lower layers.
 *
 * Invariant: a prefix never changes a failure's code or remedy.
 */
import { Failure, messageOf } from '../base/failure.ts';

export class MissingArgument extends Failure {
  readonly code = 'tools/missing-argument';
  readonly remedy: string;

  constructor(sentence: string, name: string) {
    super(sentence);
    this.remedy = `Call the tool again with "${name}".`;
  }
}

export class InvalidArgument extends Failure {
  readonly code = 'tools/invalid-argument';
  readonly remedy: string;

  constructor(sentence: string, remedy = 'Correct the argument and call the tool again.') {
    super(sentence);
    this.remedy = remedy;
  }
}

export class UnknownTool extends Failure {
  readonly code = 'tools/unknown-tool';
  readonly remedy = 'List the tools and call one of them by its name.';

  constructor(name: string) {
    super(`unknown tool: ${name}`);
  }
}

export class CallDenied extends Failure {
  readonly code = 'tools/denied';
  readonly remedy: string;

  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}

/** Files changed on disk between reading and writing. */
export class EditConflict extends Failure {
  readonly code = 'tools/conflict';
  readonly remedy = 'Read the files again and repeat the edit on their current content.';
  readonly paths: readonly string[];

  constructor(paths: readonly string[]) {
    super(`conflict: changed on disk in the meantime: ${paths.join(', ')}`);
    this.paths = paths;
  }
}

/** A thrown value that is not a Failure; only its message is known. */
class Unexpected extends Failure {
  readonly code = 'tools/unexpected';
  readonly remedy = 'Repeat the call; if it fails again, report it with the arguments of the call.';

  constructor(thrown: unknown) {
    super(messageOf(thrown), { cause: thrown });
  }
}

/** A failure prefixed with the step in which it occurred. */
export class StepFailed extends Failure {
  readonly code: string;
  readonly remedy: string;

  constructor(step: string, failure: Failure) {
    super(`${step}: ${failure.message}`, { cause: failure });
    this.code = failure.code;
    this.remedy = failure.remedy;
  }
}

/** Runs one step of a tool; failures get the step's name as a prefix. */
export async function during<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw new StepFailed(step, asFailure(thrown));
  }
}

export function asFailure(thrown: unknown): Failure {
  return thrown instanceof Failure ? thrown : new Unexpected(thrown);
}

/** The original failure without its step prefixes. */
export function rootOf(failure: Failure): Failure {
  return failure instanceof StepFailed && failure.cause instanceof Failure ? rootOf(failure.cause) : failure;
}
