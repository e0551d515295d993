/**
 * The messages that a broker reads or writes itself; it forwards every other one under the name it came with.
 *
 * Invariant: names and parameters are those of the protocol, checked against its types, which are not loaded at run time.
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

/** What a client sends that a broker does more with than forward it. */
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

/** What a server sends that a broker does more with than forward it. */
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

/** A publication, its parameters as a server sent them. */
export function publication(params: unknown): ProtocolMessage {
  return { method: serverMessages.publishDiagnostics, params };
}

export function progressReport(token: ProgressToken, value: unknown): ProtocolMessage {
  return { method: serverMessages.progress, params: { token, value } };
}

export function quiescenceReport({ isQuiescent }: { readonly isQuiescent: boolean }): ProtocolMessage {
  return { method: serverMessages.serverStatus, params: { health: 'ok', quiescent: isQuiescent } };
}

/** Has a client register capabilities. */
export function registration(added: readonly Registration[]): ProtocolMessage {
  const method: typeof RegistrationRequest.method = 'client/registerCapability';
  const registrations = added.map(({ options, ...each }) => ({ ...each, registerOptions: options }));
  return { method, params: { registrations } satisfies RegistrationParams };
}

/** Has a client drop capabilities. `unregisterations` is how the protocol spells it. */
export function unregistration(removed: readonly Registration[]): ProtocolMessage {
  const method: typeof UnregistrationRequest.method = 'client/unregisterCapability';
  const unregisterations = removed.map(({ id, method: registered }) => ({ id, method: registered }));
  return { method, params: { unregisterations } satisfies UnregistrationParams };
}

/** Has a client ask again for what it knows of a feature, e.g. `diagnostic` or `semanticTokens`. */
export function refresh(feature: string): ProtocolMessage {
  return { method: `workspace/${feature}/refresh`, params: undefined };
}
