/**
 * What the tools themselves refuse, and the sentence a failure of a deeper layer gets on its way out.
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

/** Files changed on disk between reading and writing them. */
export class EditConflict extends Failure {
  readonly code = 'tools/conflict';
  readonly remedy = 'Read the files again and repeat the edit on what they hold now.';
  readonly paths: readonly string[];

  constructor(paths: readonly string[]) {
    super(`conflict: changed on disk meanwhile: ${paths.join(', ')}`);
    this.paths = paths;
  }
}

/** A thrown value nobody gave a name: its sentence is all that is known. */
class Unexpected extends Failure {
  readonly code = 'tools/unexpected';
  readonly remedy = 'Try once more; if it happens again, report it with the arguments of the call.';

  constructor(thrown: unknown) {
    super(messageOf(thrown), { cause: thrown });
  }
}

/** A failure told with the step it happened in. */
export class StepFailed extends Failure {
  readonly code: string;
  readonly remedy: string;

  constructor(step: string, failure: Failure) {
    super(`${step}: ${failure.message}`, { cause: failure });
    this.code = failure.code;
    this.remedy = failure.remedy;
  }
}

/** Runs one step of a tool; what it throws is told with the step's name in front. */
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

/** The failure at the bottom of the steps it was told through. */
export function rootOf(failure: Failure): Failure {
  return failure instanceof StepFailed && failure.cause instanceof Failure ? rootOf(failure.cause) : failure;
}
