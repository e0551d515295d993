/**
 * The Forerun of one `forerun mcp` process, opened when a client first needs it, and its connections.
 *
 * Invariant: nothing behind the tools is loaded before the first handshake is answered.
 */
import { messageOf } from '../../base/failure.ts';
import { Log, type LogLevel } from '../../base/log.ts';
import type { Forerun, ForerunOptions } from '../../host/forerun.ts';
import { Lazy } from '../../host/lazy.ts';
import { version } from '../../host/version.ts';
import type { ConnectionLogSink } from '../../mcp/log-sink.ts';
import type { McpServerOptions } from '../../mcp/mcp-server-options.ts';
import { cleanLater } from '../clean/clean-later.ts';
import { askedQueue } from '../worker/asked-queue.ts';
import type { McpArguments } from './mcp-arguments.ts';

export interface McpHostOptions extends Pick<ForerunOptions, 'definitions' | 'boundary' | 'log'> {
  readonly given: McpArguments;
  /** Receives the log level of the user's settings, if it is set, once they are read. */
  readonly onLogLevel: (level: LogLevel) => void;
  /** Aborts when the process ends. */
  readonly signal: AbortSignal;
}

export class McpHost implements AsyncDisposable {
  readonly #options: McpHostOptions;
  readonly #forerun: Lazy<Forerun>;
  #evaluator: Awaited<ReturnType<typeof askedQueue>>;
  /** Aborted by the first call of a client, which ends the warm-up. */
  readonly #firstCall = new AbortController();

  constructor(options: McpHostOptions) {
    this.#options = options;
    this.#forerun = new Lazy(() => this.#open());
  }

  /** Opens the Forerun in the background, so that `forerun status` lists a process that is waiting for clients. */
  prepare(): void {
    // A client that needs it gets the same failure as the answer to its call.
    this.#forerun.get().catch((thrown: unknown) => {
      this.#options.log.warning('mcp.not-opened', { code: 'cli/not-opened', error: messageOf(thrown) });
    });
  }

  /** The connection of one client. */
  connection(
    logSink: ConnectionLogSink,
    sessions: 'kept' | 'memory',
    log = new Log(logSink.write),
  ): McpServerOptions {
    const toolset = this.#options.given.toolset ?? 'full';
    const connection = new Lazy(async () => {
      const [{ Connection }, forerun] = await Promise.all([
        import('../../host/connection.ts'),
        this.#forerun.get(),
      ]);
      return new Connection(forerun, { log, skills: forerun.skills, sessions, toolset });
    });
    const skills = async () => (await this.#forerun.get()).skills();
    const onCall = () => this.#firstCall.abort(new Error('a tool was called'));
    return { version, log, logSink, connection, skills, onCall };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#forerun[Symbol.asyncDispose]();
    await this.#evaluator?.[Symbol.asyncDispose]();
  }

  async #open(): Promise<Forerun> {
    const { given, definitions, boundary, log, signal } = this.#options;
    const { env } = process;
    const [forerunModule, trust] = await Promise.all([import('../../host/forerun.ts'), this.#granted()]);
    const audit = { file: given.auditLog };
    const { daemon } = given;
    this.#evaluator = await askedQueue(given.queue || undefined, { priority: 'agent', env, log });
    const evaluator = this.#evaluator;
    const forerun = new forerunModule.Forerun({
      definitions,
      boundary,
      log,
      env,
      daemon,
      trust,
      audit,
      evaluator,
    });
    if (forerun.logLevel !== undefined) this.#options.onLogLevel(forerun.logLevel);
    forerun.announce(given.http ? 'forerun mcp --http' : 'forerun mcp');
    cleanLater(log, signal);
    if (!given.http) this.#warmUp(forerun);
    return forerun;
  }

  /** `--trust` covers the workspace of the current directory only, not others that a client opens. */
  async #granted(): Promise<readonly string[]> {
    if (!this.#options.given.trust) return [];
    const { workspaceDirectory } = await import('../../host/workspace-directory.ts');
    return [await workspaceDirectory(process.cwd(), process.env, this.#options.signal)];
  }

  /** A client starts its server in the workspace it works on, so its first call will concern that workspace. */
  #warmUp(forerun: Forerun): void {
    const { log, signal } = this.#options;
    const warmed = async (): Promise<void> => {
      const { attachToRunningServers } = await import('../../host/running-servers.ts');
      const files = await attachToRunningServers(forerun, process.cwd(), signal);
      const { warmUp } = await import('../../mcp/warm-up.ts');
      const untilCalled = AbortSignal.any([signal, this.#firstCall.signal]);
      for (const file of files) await warmUp(forerun, file, untilCalled);
    };
    warmed().catch((thrown: unknown) => log.debug('mcp.unprepared', { error: messageOf(thrown) }));
  }
}
