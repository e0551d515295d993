import { Failure } from '../base/failure.ts';

/** The program of a command was not found. */
export class CommandNotFound extends Failure {
  readonly code = 'process/command-not-found';
  readonly remedy: string;
  readonly program: string;

  constructor(program: string) {
    super(`command not found: ${program}`);
    this.program = program;
    this.remedy = `Install ${program}, or add its directory to PATH.`;
  }
}

/** The operating system refused to start a program that exists. */
export class SpawnFailed extends Failure {
  readonly code = 'process/spawn-failed';
  readonly remedy: string;

  constructor(
    program: string,
    why: { readonly message: string; readonly remedy: string },
    options?: ErrorOptions,
  ) {
    super(`cannot start ${program}: ${why.message}`, options);
    this.remedy = why.remedy;
  }
}
