/**
 * A server lent to one caller while it shows exactly one overlay.
 *
 * Invariant: from its creation until it is disposed, only its caller changes what the server shows. The next holder
 * never sees the overlay, because `Replica.show` replaces it.
 */
import type { Channel } from '../base/channel.ts';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { runServerCommand } from '../lsp/feature/command.ts';
import { symbolsIn } from '../lsp/feature/symbol.ts';
import type { LanguageServer } from '../lsp/language-server.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { ReplicaSetup } from './pool/replica.ts';
import type { AcquiredReplica } from './pool/server-pool.ts';
import type { FileDiagnostics } from './proof.ts';
import type { AcceptEdit } from './server-edits.ts';
import {
  type BegunDiagnostics,
  beginDiagnostics,
  type SettleOptions,
  settledDiagnostics,
} from './settling.ts';
import type { Projects } from './typescript/typescript-projects.ts';

export class Lease implements AsyncDisposable {
  readonly #held: AcquiredReplica;
  readonly #log: Log;
  readonly #measured: Channel<readonly FileDiagnostics[]> | undefined;

  /** Settled diagnostics are also published on `measured`; it is undefined for speculative overlays. */
  constructor(held: AcquiredReplica, log: Log, measured: Channel<readonly FileDiagnostics[]> | undefined) {
    this.#held = held;
    this.#log = log;
    this.#measured = measured;
  }

  get server(): LanguageServer {
    return this.#held.replica.server;
  }

  /** How the server shows files, and where it runs. */
  get setup(): Pick<ReplicaSetup, 'mode' | 'site'> {
    return this.#held.replica.setup;
  }

  /** Whether the server omits imports and re-exports from references that are requested without the declaration. */
  get takesImportsForDeclarations(): boolean {
    return this.#held.replica.definition.quirks.takesImportsForDeclarations === true;
  }

  /** The epoch of the disk that the server shows, which may have changed since; undefined under an overlay. */
  get shownDisk(): number | undefined {
    const { replica } = this.#held;
    return replica.showsOverlay ? undefined : replica.projection.diskEpoch;
  }

  /** The server's URI of a path; it differs from ours only if the server runs in a copy. */
  uri(path: WorkspacePath): string {
    return this.#held.replica.projection.uri(path);
  }

  /** How many source files are outside the load scope of the server. */
  get leftOut(): number {
    return this.#held.replica.projection.leftOut ?? 0;
  }

  /**
   * Makes the server load the files that its answers about `paths` depend on, or everything; a no-op if it loads
   * everything anyway.
   */
  async include(paths: readonly WorkspacePath[] | 'everything'): Promise<void> {
    await this.#held.replica.projection.include?.(paths);
  }

  /** Opens documents for requests that the server answers only for open ones. */
  async open(paths: readonly WorkspacePath[]): Promise<void> {
    await this.#held.replica.projection.open(paths);
  }

  /**
   * Opens documents and waits until the server has read them. Some servers read documents asynchronously and answer
   * workspace requests earlier; the outline of a file proves that it was read.
   */
  async read(paths: readonly WorkspacePath[], signal: AbortSignal): Promise<void> {
    const { replica } = this.#held;
    const { server } = replica;
    await this.open(paths);
    if (!server.capabilities.has('documentSymbolProvider')) return;
    await Promise.all(
      paths.map(async (path) => {
        const uri = this.uri(path);
        const version = server.documents.get(uri)?.version;
        if (version === undefined || replica.answers.hasRead(uri)) return;
        await symbolsIn(server, uri, signal);
        replica.answers.noteRead(uri, version);
      }),
    );
  }

  /**
   * The diagnostics of the shown text, each with its proof; a file that took too long has none. Those of the
   * projects' configuration files follow, if requested.
   */
  async diagnostics(
    paths: readonly WorkspacePath[],
    options: SettleOptions,
    signal: AbortSignal,
  ): Promise<readonly FileDiagnostics[]> {
    return this.#published(await settledDiagnostics(this.#held.replica, paths, options, signal));
  }

  /** As `diagnostics`; the lease may end before the answers arrive if they say that they are kept. */
  async beginDiagnostics(
    paths: readonly WorkspacePath[],
    options: SettleOptions,
    signal: AbortSignal,
  ): Promise<BegunDiagnostics> {
    const { answers, areKept } = await beginDiagnostics(this.#held.replica, paths, options, signal);
    return { answers: answers.then((arrived) => this.#published(arrived)), areKept };
  }

  #published(answers: readonly FileDiagnostics[]): readonly FileDiagnostics[] {
    const settled = answers.filter(
      ({ proof, isUnasked, lacksHints }) => proof.kind !== 'none' && !isUnasked && !lacksHints,
    );
    if (settled.length > 0) this.#measured?.emit(settled);
    return answers;
  }

  /** The projects of the shown workspace; undefined if the server has no notion of projects. */
  get projects(): Projects | undefined {
    return this.#held.replica.projects;
  }

  /**
   * Executes a command of the server. Edits that it requests meanwhile go to `accept`; after each, the server is
   * shown the disk again, since it continues from what it believes to have changed.
   */
  async executeCommand(
    params: { readonly command: string; readonly arguments?: readonly unknown[] },
    accept: AcceptEdit,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { replica } = this.#held;
    const acceptAndShow: AcceptEdit = async (edit) => {
      await accept(edit);
      await replica.showDisk();
    };
    return replica.edits.during(acceptAndShow, () => runServerCommand(replica.server, params, signal));
  }

  /**
   * Releases the server. The next holder shows its own overlay first, and the pool shows the disk if no caller
   * follows, so this overlay is not visible afterwards. A server that other clients use too is shown the disk before
   * its release.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const { replica } = this.#held;
    try {
      if (replica.setup.isShared && replica.server.isRunning) await replica.showDisk();
    } catch (thrown) {
      // The next holder shows its own overlay whatever state the server is in; a dead server is replaced.
      this.#log.warning('lease.restore-failed', { code: 'servers/restore-failed', error: messageOf(thrown) });
    } finally {
      this.#held.release();
    }
  }
}
