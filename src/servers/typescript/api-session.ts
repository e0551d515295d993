/**
 * A session of TypeScript's own API on a running language server: the same process and buffers, but projects are
 * opened by their configuration and queried separately.
 *
 * Invariant: everything sent to the server before `refresh` is part of the snapshot it answers from; one snapshot is
 * kept, so the server keeps only the current programs.
 */
import { createConnection, type Socket } from 'node:net';
import { abortable } from '../../base/deadline.ts';
import { failureLogger, type Log } from '../../base/log.ts';
import { fieldOf } from '../../graph/reach/keys/loose-json.ts';
import { ClientConnection } from '../../lsp/client-connection.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import { ProtocolGarbage, ResponseFailed } from '../../lsp/server-failure.ts';

/** A diagnostic of the API: positions are UTF-16 offsets into the text of the file. */
export interface ApiDiagnostic {
  readonly fileName?: string;
  readonly pos: number;
  readonly end: number;
  readonly code: number;
  /** 0 warning, 1 error, 2 suggestion, 3 message. */
  readonly category: number;
  readonly text: string;
  readonly reportsUnnecessary?: boolean;
  readonly reportsDeprecated?: boolean;
  readonly messageChain?: readonly ApiDiagnostic[];
  readonly relatedInformation?: readonly ApiDiagnostic[];
}

export interface ApiProject {
  readonly id: string;
  readonly configFileName: string;
  readonly compilerOptions: Readonly<Record<string, unknown>>;
}

/** Requests about one file of a program. */
export type FileQuestion =
  | 'getSyntacticDiagnostics'
  | 'getSemanticDiagnostics'
  | 'getDeclarationDiagnostics'
  | 'getSuggestionDiagnostics';

/** Requests about a program as a whole. */
export type ProgramQuestion = 'getProgramDiagnostics' | 'getConfigFileParsingDiagnostics';

export class ApiSession implements Disposable {
  readonly #server: LanguageServer;
  readonly #connection: ClientConnection;
  #snapshot: number | undefined;
  #isOpen = true;

  private constructor(server: LanguageServer, connection: ClientConnection, log: Log) {
    this.#server = server;
    this.#connection = connection;
    connection.ended
      .then(() => {
        this.#isOpen = false;
      })
      .catch(failureLogger(log, 'typescript.api-not-closed'));
  }

  /** Undefined if the server offers no such session. */
  static async open(server: LanguageServer, log: Log, signal: AbortSignal): Promise<ApiSession | undefined> {
    const pipe = await pipeOf(server, signal);
    if (pipe === undefined) return undefined;
    const socket = createConnection(pipe);
    try {
      await abortable(connected(socket), signal);
    } catch (thrown) {
      socket.destroy();
      signal.throwIfAborted();
      log.warning('typescript.api-unreachable', { code: 'servers/api-unreachable', error: String(thrown) });
      return undefined;
    }
    const nothing = { request: () => null, notification: () => {} };
    const connection = new ClientConnection(socket, nothing, log);
    await connection.request('initialize', null, signal);
    return new ApiSession(server, connection, log);
  }

  get isOpen(): boolean {
    return this.#isOpen && this.#server.isRunning;
  }

  /**
   * Takes a new snapshot, and opens and closes projects by the absolute paths of their configurations; returns the
   * open ones.
   */
  async refresh(
    change: { readonly open: readonly string[]; readonly close: readonly string[] },
    signal: AbortSignal,
  ): Promise<readonly ApiProject[]> {
    await this.#answeredInOrder(signal);
    const before = this.#snapshot;
    const answer = await this.#connection.request(
      'updateSnapshot',
      {
        ...(change.open.length > 0 && { openProjects: change.open }),
        ...(change.close.length > 0 && { closeProjects: change.close }),
      },
      signal,
    );
    const snapshot = fieldOf(answer, 'snapshot');
    const projects = fieldOf(answer, 'projects');
    if (typeof snapshot !== 'number' || !Array.isArray(projects)) {
      throw new ProtocolGarbage(`a snapshot of the projects was asked for, got ${JSON.stringify(answer)}`);
    }
    this.#snapshot = snapshot;
    // Not awaited: all requests about the old snapshot have been answered.
    if (before !== undefined) {
      this.#connection.request('release', { snapshot: before }, signal).catch(() => undefined);
    }
    return projects as readonly ApiProject[];
  }

  /** The absolute paths of every file in a project's program. */
  async files({ id }: ApiProject, signal: AbortSignal): Promise<readonly string[]> {
    return (await this.#ask('getSourceFileNames', { project: id }, signal)) as readonly string[];
  }

  /** A program's answer about one of its files. */
  async askFile(
    question: FileQuestion,
    { id }: ApiProject,
    file: string,
    signal: AbortSignal,
  ): Promise<readonly ApiDiagnostic[]> {
    return ((await this.#ask(question, { project: id, file }, signal)) ?? []) as readonly ApiDiagnostic[];
  }

  async askProgram(
    question: ProgramQuestion,
    { id }: ApiProject,
    signal: AbortSignal,
  ): Promise<readonly ApiDiagnostic[]> {
    return ((await this.#ask(question, { project: id }, signal)) ?? []) as readonly ApiDiagnostic[];
  }

  /**
   * The server's two connections are not ordered with each other, but on the first one a request is answered after
   * all messages before it. A request with an unknown method is refused at once; any other makes the server update a
   * project, which takes twice the time of a whole answer.
   */
  async #answeredInOrder(signal: AbortSignal): Promise<void> {
    try {
      const unlimited = { timeoutMs: Number.POSITIVE_INFINITY };
      await this.#server.request('forerun/answeredInOrder', {}, unlimited, signal);
    } catch (thrown) {
      if (!(thrown instanceof ResponseFailed)) throw thrown;
    }
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }

  #ask(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    return this.#connection.request(method, { snapshot: this.#snapshot, ...params }, signal);
  }
}

async function pipeOf(server: LanguageServer, signal: AbortSignal): Promise<string | undefined> {
  try {
    const pipe = fieldOf(await server.request('custom/initializeAPISession', {}, {}, signal), 'pipe');
    return typeof pipe === 'string' ? pipe : undefined;
  } catch (thrown) {
    if (thrown instanceof ResponseFailed) return undefined;
    throw thrown;
  }
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    // Stays attached: an error after the connection is reported by the closing of the socket, too.
    socket.on('error', reject);
  });
}
