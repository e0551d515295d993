import { Failure } from '../base/failure.ts';

/** A text that should be a patch and cannot be read as one; `line` counts from 1. */
export class MalformedPatch extends Failure {
  readonly code = 'text/malformed-patch';
  readonly line: number;
  readonly remedy: string;

  constructor(
    line: number,
    problem: string,
    remedy = 'Give the patch as `git diff` or `diff -u` prints it.',
  ) {
    super(`line ${line} of the patch: ${problem}`);
    this.line = line;
    this.remedy = remedy;
  }
}
