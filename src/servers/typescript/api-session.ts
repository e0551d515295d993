/**
 * A session of TypeScript's own API on a running language server: the same process and buffers, but projects are
 * opened by their configuration and queried separately.
 *
 * Invariant: everything sent to the server before `refresh` is part of the snapshot it answers from. Besides the last
 * snapshot only those are kept that a caller holds, so the server keeps no other programs.
 */

import { createConnection, type Socket } from 'node:net';
import { abortable } from '../../base/deadline.ts';
import { failureLogger, type Log } from '../../base/log.ts';
import { neverAborts } from '../../base/never-aborts.ts';
import { fieldOf } from '../../base/record.ts';
import { ClientConnection } from '../../lsp/client-connection.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import { ProtocolGarbage, ResponseFailed } from '../../lsp/server-failure.ts';
import type { Site } from '../server-site.ts';

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
  /** The snapshot that its answers are from. */
  readonly snapshot: number;
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
export type ProgramQuestion =
  | 'getProgramDiagnostics'
  | 'getConfigFileParsingDiagnostics'
  | 'getGlobalDiagnostics';

interface KeptSnapshot {
  readonly id: number;
  /** It is released when there is none. */
  holders: number;
}

export interface ApiSessionParts {
  readonly server: LanguageServer;
  /** Where the server runs. */
  readonly site: Pick<Site, 'socketAt'>;
  readonly log: Log;
}

export class ApiSession implements Disposable {
  readonly #server: LanguageServer;
  readonly #connection: ClientConnection;
  #current: KeptSnapshot | undefined;
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
  static async open(
    { server, site, log }: ApiSessionParts,
    signal: AbortSignal,
  ): Promise<ApiSession | undefined> {
    const pipe = await pipeOf(server, signal);
    if (pipe === undefined) return undefined;
    let socket: Socket;
    try {
      await using reached = await site.socketAt?.(pipe);
      socket = await connect(reached?.path ?? pipe, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      log.warning('typescript.api-unreachable', { code: 'servers/api-unreachable', error: String(thrown) });
      return undefined;
    }
    const nothing = { request: () => null, notification: () => {} };
    await takeSettings(server, signal);
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
    change: {
      readonly open: readonly string[];
      readonly close: readonly string[];
      /** Called when the server was asked for the snapshot, after all that was sent before. */
      readonly onAsked?: (() => void) | undefined;
    },
    signal: AbortSignal,
  ): Promise<readonly ApiProject[]> {
    await this.#answeredInOrder(signal);
    const before = this.#current;
    const asked = this.#connection.request(
      'updateSnapshot',
      {
        ...(change.open.length > 0 && { openProjects: change.open }),
        ...(change.close.length > 0 && { closeProjects: change.close }),
      },
      signal,
    );
    change.onAsked?.();
    const answer = await asked;
    const snapshot = fieldOf(answer, 'snapshot');
    const projects = fieldOf(answer, 'projects');
    if (typeof snapshot !== 'number' || !Array.isArray(projects)) {
      throw new ProtocolGarbage(`a snapshot of the projects was asked for, got ${JSON.stringify(answer)}`);
    }
    this.#current = { id: snapshot, holders: 1 };
    // After the questions about the new one, in the same system call.
    if (before) process.nextTick(() => this.#letGo(before));
    return (projects as readonly Omit<ApiProject, 'snapshot'>[]).map((project) => ({ ...project, snapshot }));
  }

  /** Keeps the last snapshot: its projects answer until it is disposed, whatever is shown meanwhile. */
  hold(): Disposable {
    const held = this.#current;
    if (held === undefined) throw new Error('no snapshot was taken');
    held.holders += 1;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#letGo(held);
        isHeld = false;
      },
    };
  }

  #letGo(snapshot: KeptSnapshot): void {
    snapshot.holders -= 1;
    if (snapshot.holders > 0 || !this.isOpen) return;
    // Not awaited: all requests about the snapshot have been answered.
    this.#connection.request('release', { snapshot: snapshot.id }, neverAborts()).catch(() => undefined);
  }

  /** The absolute paths of every file in a project's program. */
  async files({ id, snapshot }: ApiProject, signal: AbortSignal): Promise<readonly string[]> {
    return (await this.#ask('getSourceFileNames', { snapshot, project: id }, signal)) as readonly string[];
  }

  /** A program's answer about one of its files. */
  async askFile(
    question: FileQuestion,
    { id, snapshot }: ApiProject,
    file: string,
    signal: AbortSignal,
  ): Promise<readonly ApiDiagnostic[]> {
    const answer = await this.#ask(question, { snapshot, project: id, file }, signal);
    return (answer ?? []) as readonly ApiDiagnostic[];
  }

  async askProgram(
    question: ProgramQuestion,
    { id, snapshot }: ApiProject,
    signal: AbortSignal,
  ): Promise<readonly ApiDiagnostic[]> {
    const answer = await this.#ask(question, { snapshot, project: id }, signal);
    return (answer ?? []) as readonly ApiDiagnostic[];
  }

  /**
   * The server's two connections are not ordered with each other, but on the first one a request is answered after
   * all messages before it. A request with an unknown method is refused at once; any other makes the server update a
   * project, which takes twice the time of a whole answer.
   */
  async #answeredInOrder(signal: AbortSignal): Promise<void> {
    const whenever = { timeoutMs: Number.POSITIVE_INFINITY, refusal: 'answer' } as const;
    await this.#server.request('forerun/answeredInOrder', {}, whenever, signal);
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }

  #ask(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    return this.#connection.request(method, params, signal);
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

/**
 * Has the server apply its settings. It does so when a request needs a project, and loses them if the API asks for the
 * first one: unused names would be warnings, which the compiler reports as errors. No project has this file, so the
 * request costs nothing.
 */
async function takeSettings(server: LanguageServer, signal: AbortSignal): Promise<void> {
  try {
    await server.request(
      'custom/projectInfo',
      { textDocument: { uri: 'file:///no-project.ts' } },
      {},
      signal,
    );
  } catch (thrown) {
    if (!(thrown instanceof ResponseFailed)) throw thrown;
  }
}

async function connect(path: string, signal: AbortSignal): Promise<Socket> {
  const socket = createConnection(path);
  try {
    await abortable(connected(socket), signal);
    return socket;
  } catch (thrown) {
    socket.destroy();
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
