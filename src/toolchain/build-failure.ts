/** What building and testing refuse. */
import { Failure } from '../base/failure.ts';

export class UnsupportedLanguage extends Failure {
  readonly code = 'tools/unsupported-language';
  readonly remedy: string;

  constructor(language: string, remedy: string) {
    super(`unsupported language: ${language}`);
    this.remedy = remedy;
  }
}

/** The runner of this workspace cannot be told to run only a part of the tests in the way that was asked. */
export class NotNarrowable extends Failure {
  readonly code = 'tools/not-narrowable';
  readonly remedy = 'Leave the argument out; the run is then about more than was asked.';

  constructor(argument: 'path' | 'test_filter' | 'test_files', runner: string) {
    super(`${argument} is not supported by ${runner}`);
  }
}
