/**
 * Forerun inside another program: one workspace, opened with the embedded language servers.
 *
 * Invariants: nothing is logged unless a log is given, programs of the workspace run only if its user trusts it, and
 * disposing it ends every server it started.
 */
import { type Log, silentLog } from '../base/log.ts';
import { neverAborts } from '../base/never-aborts.ts';
import type { Evaluator } from '../evaluation/evaluator.ts';
import { judgingLanguage } from '../evaluation/server-assignment.ts';
import type { WorkspaceView } from '../live/workspace-view.ts';
import { serversFor } from '../servers/catalogue.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Scope } from '../servers/projection.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import { rankLanguages } from '../servers/server-detection.ts';
import { NoServerForFile } from '../servers/server-register.ts';
import type { Session } from '../session/session.ts';
import type { ToolResult } from '../tools/tool-result.ts';
import { checkPatch, type PatchCheck } from './check/patch-check.ts';
import { Connection } from './connection.ts';
import { Forerun } from './forerun.ts';

export interface OpenForerunOptions {
  /** The directory of the workspace. */
  readonly root: string;
  /** The language servers to use; absent: those of this package and those found on this machine. */
  readonly servers?: readonly ServerDefinition[];
  /** Absent: nothing is logged. */
  readonly log?: Log;
  /** The environment that servers inherit and that locates the user's trust; absent: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Evaluates changes elsewhere, such as a QueuedEvaluator of `forerun/queue`; absent: this process evaluates them. */
  readonly evaluator?: Evaluator;
  readonly signal?: AbortSignal;
}

export interface CheckOptions {
  /** The scope of the check; absent: every file that the change can affect. */
  readonly scope?: Scope;
  /** How long to wait for each server; absent: a minute. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Opens a workspace. Servers start on first use. */
export async function openForerun(options: OpenForerunOptions): Promise<EmbeddedForerun> {
  const { root, servers, log = silentLog, env = process.env, signal = neverAborts(), evaluator } = options;
  const forerun = new Forerun({ definitions: servers ?? 'detect', log, env, daemon: 'off', evaluator });
  try {
    const { skills } = forerun;
    const connection = new Connection(forerun, { log, skills, toolset: 'full', sessions: 'memory' });
    const open = await connection.context.workspaces.open(root, signal);
    return new EmbeddedForerun(forerun, connection, open);
  } catch (thrown) {
    await forerun[Symbol.asyncDispose]();
    throw thrown;
  }
}

export class EmbeddedForerun implements AsyncDisposable {
  readonly #forerun: Forerun;
  readonly #connection: Connection;
  readonly #open: WorkspaceView;

  /** Use `openForerun`. */
  constructor(forerun: Forerun, connection: Connection, open: WorkspaceView) {
    this.#forerun = forerun;
    this.#connection = connection;
    this.#open = open;
  }

  /** The real path of the workspace. */
  get root(): string {
    return this.#open.workspace.root;
  }

  /**
   * Judges a unified diff as a whole, by every server it affects. A patch that is applied already is compared with
   * the files without it. Nothing is written.
   */
  check(patch: string, options: CheckOptions = {}): Promise<PatchCheck> {
    const { scope = 'workspace', timeoutMs = 60_000, signal = neverAborts() } = options;
    const request = { root: this.root, patch, scope, timeoutMs, onProgress: () => {} };
    return checkPatch(this.#forerun, request, signal);
  }

  /**
   * A session of edits in memory. Each file is judged by the server of its language. The result of the session is that of
   * the server for `file`; absent: the server for the language of most files. It ends with this object.
   */
  async session(file?: string, signal: AbortSignal = neverAborts()): Promise<Session> {
    const { workspace, live } = this.#open;
    const language =
      file === undefined
        ? await this.#mainLanguage(signal)
        : judgingLanguage(live, await workspace.resolve(file));
    return this.#connection.sessions.create({ live, language }, signal);
  }

  /** Calls a tool by its name, as an MCP client would. Only an unknown name throws. */
  call(tool: string, input: object = {}, signal: AbortSignal = neverAborts()): Promise<ToolResult> {
    return this.#connection.call({ name: tool, arguments: input }, signal);
  }

  async #mainLanguage(signal: AbortSignal): Promise<LanguageId> {
    const ranked = await rankLanguages(this.root, signal);
    const known = ranked.filter((language) => serversFor(language).length > 0);
    const [main] = [...this.#open.live.servers.register.languages, ...known];
    if (main === undefined) throw new NoServerForFile(this.root);
    return main;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#forerun[Symbol.asyncDispose]();
  }
}
