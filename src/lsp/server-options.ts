/** How to start a language server, or to connect to a running one. */
export interface ServerOptions {
  /** The name of the server in logs and failures. */
  readonly id: string;
  /** The program and its arguments; used with the `stdio` transport only. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Its whole environment; absent: our own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the server can see our process, and may exit when that is gone; default: it can. */
  readonly parent?: 'visible' | 'hidden';
  readonly rootUri: string;
  readonly workspaceFolders: readonly WorkspaceFolder[];
  readonly initializationOptions?: unknown;
  /** Answers `workspace/configuration`, looked up by dotted section. */
  readonly settings?: unknown;
  /** Replace the settings before the first completion or code action; absent: they stay. */
  readonly suggestionSettings?: unknown;
  /** Sends the settings once after the handshake, for servers that do not request them. */
  readonly sendsConfigurationAfterStart?: boolean | undefined;
  /** Pull diagnostics are offered only for `pull`: a server that is offered them may stop publishing. */
  readonly diagnosticsMode: 'pull' | 'push';
  /** Whether work reported without a title counts as busy; default: it counts. */
  readonly untitledWork?: 'counts' | 'passes' | undefined;
  /** Client capabilities offered under `experimental`. */
  readonly experimental?: Readonly<Record<string, unknown>> | undefined;
  /** Members added to every `textDocument/didChange`. */
  readonly didChangeExtras?: Readonly<Record<string, unknown>> | undefined;
  /** Members added to a `textDocument/didChange` that requests diagnostics for an unchanged text. */
  readonly touchExtras?: Readonly<Record<string, unknown>> | undefined;
  /** How a document with the same text is sent again; absent: as a change. */
  readonly touchesBy?: 'changing' | 'reopening' | undefined;
  readonly initializeTimeoutMs?: number;
  readonly transport: ServerTransport;
  /** Applies an edit the server requests; without it every such edit is refused. */
  readonly applyEdit?: (edit: unknown) => Promise<AppliedEdit>;
  /** The command that installs the server, shown to the user. */
  readonly installHint?: string;
}

export interface WorkspaceFolder {
  readonly uri: string;
  readonly name: string;
}

export type ServerTransport =
  | { readonly kind: 'stdio' }
  /** A server that another process started: it is never shut down or killed from here. */
  | {
      readonly kind: 'tcp';
      readonly host: string;
      readonly port: number;
      /** How long `initialize` may take; absent: as configured for the server, else half a minute. */
      readonly answerMs?: number;
    }
  /** A broker on this machine that keeps the documents of its clients apart; it outlives this process. */
  | { readonly kind: 'socket'; readonly path: string };

export interface AppliedEdit {
  readonly applied: boolean;
  readonly failureReason?: string;
}
