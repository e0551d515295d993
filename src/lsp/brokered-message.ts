/**
 * The messages that a broker reads or writes itself; it forwards every other one unchanged.
 *
 * Invariant: names and parameters are those of the protocol, checked against its types, which are not loaded at run
 * time.
 */
import type {
  DidChangeWatchedFilesNotification,
  DocumentDiagnosticRequest,
  ExecuteCommandRequest,
  ExitNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  RegistrationParams,
  RegistrationRequest,
  ShutdownRequest,
  UnregistrationParams,
  UnregistrationRequest,
} from 'vscode-languageserver-protocol';
import type { Registration } from './capabilities.ts';
import type { ProgressToken } from './progress-token.ts';

/** A request or a notification, by its name. */
export interface ProtocolMessage {
  readonly method: string;
  readonly params: unknown;
}

/** Client messages that a broker does not merely forward. */
export const clientMessages: {
  readonly initialize: typeof InitializeRequest.method;
  readonly shutdown: typeof ShutdownRequest.method;
  readonly exit: typeof ExitNotification.method;
  readonly pullDiagnostics: typeof DocumentDiagnosticRequest.method;
  readonly executeCommand: typeof ExecuteCommandRequest.method;
  readonly watchedFiles: typeof DidChangeWatchedFilesNotification.method;
} = {
  initialize: 'initialize',
  shutdown: 'shutdown',
  exit: 'exit',
  pullDiagnostics: 'textDocument/diagnostic',
  executeCommand: 'workspace/executeCommand',
  watchedFiles: 'workspace/didChangeWatchedFiles',
};

/** Server messages that a broker does not merely forward. */
export const serverMessages: {
  readonly publishDiagnostics: typeof PublishDiagnosticsNotification.method;
  readonly progress: '$/progress';
  /** rust-analyzer's: whether it has loaded everything. */
  readonly serverStatus: 'experimental/serverStatus';
} = {
  publishDiagnostics: 'textDocument/publishDiagnostics',
  progress: '$/progress',
  serverStatus: 'experimental/serverStatus',
};

/** A publication with the parameters that a server sent. */
export function publication(params: unknown): ProtocolMessage {
  return { method: serverMessages.publishDiagnostics, params };
}

export function progressReport(token: ProgressToken, value: unknown): ProtocolMessage {
  return { method: serverMessages.progress, params: { token, value } };
}

export function quiescenceReport({ isQuiescent }: { readonly isQuiescent: boolean }): ProtocolMessage {
  return { method: serverMessages.serverStatus, params: { health: 'ok', quiescent: isQuiescent } };
}

/** Asks a client to register capabilities. */
export function registration(added: readonly Registration[]): ProtocolMessage {
  const method: typeof RegistrationRequest.method = 'client/registerCapability';
  const registrations = added.map(({ options, ...each }) => ({ ...each, registerOptions: options }));
  return { method, params: { registrations } satisfies RegistrationParams };
}

/** Asks a client to unregister capabilities. `unregisterations` is the protocol's spelling. */
export function unregistration(removed: readonly Registration[]): ProtocolMessage {
  const method: typeof UnregistrationRequest.method = 'client/unregisterCapability';
  const unregisterations = removed.map(({ id, method: registered }) => ({ id, method: registered }));
  return { method, params: { unregisterations } satisfies UnregistrationParams };
}
