/**
 * The failures of communication with a language server.
 *
 * Invariant: a message is complete by itself; it contains the server's last output.
 */
import { Failure } from '../base/failure.ts';

/** The server's program is not installed. */
export class ServerNotFound extends Failure {
  readonly code = 'lsp/server-not-found';
  readonly remedy: string;

  constructor(program: string, installHint: string | undefined, options?: ErrorOptions) {
    super(`language server not found: ${program}`, options);
    this.remedy = installHint
      ? `Install it: ${installHint}`
      : `Install ${program}, or put the directory that holds it on PATH.`;
  }
}

/** How a server's process ended, and its last output. */
export interface CrashReport {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stderrTail: string;
}

/** The server exited or closed the connection without being asked to. */
export class ServerCrashed extends Failure {
  readonly code = 'lsp/server-crashed';
  readonly remedy = 'Restart the server; if it dies again, its last output says why.';
  readonly report: CrashReport;

  constructor(id: string, report: CrashReport, options?: ErrorOptions) {
    super(`lsp process exited: ${id} ${endOf(report)}${lastWords(report.stderrTail)}`, options);
    this.report = report;
  }
}

/** The server was used after it was shut down. */
export class ServerStopped extends Failure {
  readonly code = 'lsp/server-stopped';
  readonly remedy = 'Start the server again.';

  constructor(id: string) {
    super(`language server ${id} has been shut down`);
  }
}

/** The handshake did not complete; the cause says why. */
export class InitializeFailed extends Failure {
  readonly code = 'lsp/initialize-failed';
  readonly remedy = 'Check the command, its arguments and the initialization options of this server.';

  constructor(id: string, cause: Error) {
    super(`language server ${id} did not initialize: ${cause.message}`, { cause });
  }
}

/** The server did not respond in time. */
export class RequestTimeout extends Failure {
  readonly code = 'lsp/request-timeout';
  readonly remedy = 'Ask again once the server has finished loading, or allow more time.';

  constructor(method: string, timeoutMs: number) {
    super(
      `request ${method} timed out after ${timeoutMs % 1000 === 0 ? `${timeoutMs / 1000}s` : `${timeoutMs}ms`}`,
    );
  }
}

/** The server responded with an error. */
export class ResponseFailed extends Failure {
  readonly code = 'lsp/response-error';
  readonly remedy = 'Check the arguments; the server did not accept this request.';
  /** The error code of JSON-RPC or LSP. */
  readonly number: number;
  /** The server's message, without the code. */
  readonly sentence: string;
  readonly data: unknown;

  constructor(answer: { readonly code: number; readonly message: string; readonly data?: unknown }) {
    super(`lsp error ${answer.code}: ${answer.message}`);
    this.number = answer.code;
    this.sentence = answer.message;
    this.data = answer.data;
  }

  /** Whether the server does not implement the method. */
  get isUnknownMethod(): boolean {
    return this.number === -32601;
  }
}

/** A failure between a broker and its server, with the code it has there. */
export class BrokeredFailure extends Failure {
  readonly code: string;
  readonly remedy: string;

  constructor(reported: { readonly code: string; readonly message: string; readonly remedy: string }) {
    super(reported.message);
    this.code = reported.code;
    this.remedy = reported.remedy;
  }
}

/** The address of a server that should be running could not be reached. */
export class ConnectFailed extends Failure {
  readonly code = 'lsp/connect-failed';
  readonly remedy = 'Start the language server there, or correct the address.';

  constructor(address: string, cause: Error) {
    super(`cannot connect to the language server at ${address}: ${cause.message}`, { cause });
  }
}

/** The connection to a running server was accepted, but the handshake was never answered. */
export class EndpointSilent extends Failure {
  readonly code = 'lsp/endpoint-silent';
  readonly remedy =
    'Make sure that a language server listens at this address and serves a second client, or correct the address; a slow one needs a larger ready_timeout_seconds.';

  constructor({ host, port }: { readonly host: string; readonly port: number }, cause: Error) {
    super(`no language server answers at ${host}:${port}: ${cause.message}`, { cause });
  }
}

/** The server sent bytes that are not the protocol. */
export class ProtocolGarbage extends Failure {
  readonly code = 'lsp/protocol-garbage';
  readonly remedy =
    'Make sure that the command starts a language server on stdio and that nothing else prints to its standard output.';

  constructor(why: string, options?: ErrorOptions) {
    super(`the language server does not speak the protocol: ${why}`, options);
  }
}

function endOf(report: CrashReport): string {
  if (report.signal !== undefined) return `was ended by ${report.signal}`;
  if (report.exitCode !== undefined) return `ended with code ${report.exitCode}`;
  return 'closed the connection';
}

function lastWords(stderrTail: string): string {
  const text = stderrTail.trim();
  return text === '' ? '' : `\n${text}`;
}
