/** Failures of building and testing. */
import { Failure } from '../base/failure.ts';

export class UnsupportedLanguage extends Failure {
  readonly code = 'tools/unsupported-language';
  readonly remedy: string;

  constructor(language: string, remedy: string) {
    super(`unsupported language: ${language}`);
    this.remedy = remedy;
  }
}

/** The test runner of this workspace cannot be restricted in the requested way. */
export class NotNarrowable extends Failure {
  readonly code = 'tools/not-narrowable';
  readonly remedy = 'Leave the argument out; the run then covers more than requested.';

  constructor(argument: 'path' | 'test_filter' | 'test_files', runner: string) {
    super(`${argument} is not supported by ${runner}`);
  }
}
