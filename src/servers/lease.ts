/**
 * A server lent out while it shows exactly one overlay.
 *
 * Invariant: from the moment it is handed out until it is disposed, nobody else changes what the server
 * shows; afterwards nothing of the overlay is left to see for whoever comes next.
 */
import type { Channel } from '../base/channel.ts';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { runServerCommand } from '../lsp/feature/command.ts';
import { symbolsIn } from '../lsp/feature/symbol.ts';
import type { LanguageServer } from '../lsp/language-server.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Replica } from './pool/replica.ts';
import type { AcquiredReplica } from './pool/server-pool.ts';
import type { FileDiagnostics } from './proof.ts';
import type { AcceptEdit } from './server-edits.ts';
import type { ServerConfinement } from './server-site.ts';
import { type SettleOptions, settledDiagnostics } from './settling.ts';

export class Lease implements AsyncDisposable {
  readonly #held: AcquiredReplica;
  readonly #log: Log;
  readonly #measured: Channel<readonly FileDiagnostics[]> | undefined;

  /** What the server says goes to `measured` too; whoever shows something speculative leaves it out. */
  constructor(held: AcquiredReplica, log: Log, measured: Channel<readonly FileDiagnostics[]> | undefined) {
    this.#held = held;
    this.#log = log;
    this.#measured = measured;
  }

  get server(): LanguageServer {
    return this.#held.replica.server;
  }

  get mode(): Replica['mode'] {
    return this.#held.replica.mode;
  }

  /** Whether what answers was confined. */
  get confinement(): ServerConfinement {
    return this.#held.replica.site.confinement;
  }

  /** Whether it leaves imports and re-exports out of references that are asked for without the declaration. */
  get takesImportsForDeclarations(): boolean {
    return this.#held.replica.definition.quirks.takesImportsForDeclarations === true;
  }

  /** Whether it shows the files as they are, with nothing unsaved laid over them. */
  get showsDisk(): boolean {
    return !this.#held.replica.showsOverlay;
  }

  /** The URI by which this server knows a path; it differs from ours only where it runs in a copy. */
  uri(path: WorkspacePath): string {
    return this.#held.replica.projection.uri(path);
  }

  /** How many source files the server was not told to load. */
  get leftOut(): number {
    return this.#held.replica.projection.leftOut ?? 0;
  }

  /** Has the server load what its answers about these files depend on, or everything, where it does not anyway. */
  async include(paths: readonly WorkspacePath[] | 'everything'): Promise<void> {
    await this.#held.replica.projection.include?.(paths);
  }

  /** Opens documents for requests that a server answers only about open ones. */
  async open(paths: readonly WorkspacePath[]): Promise<void> {
    await this.#held.replica.projection.open(paths);
  }

  /**
   * Opens documents and waits until the server has read them: some take documents in on their own time, and answer
   * questions about the workspace before they have, but only one who has read a file can give its outline.
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
        if (version === undefined || replica.hasRead(uri)) return;
        await symbolsIn(server, uri, signal);
        replica.noteRead(uri, version);
      }),
    );
  }

  /**
   * The diagnostics of the shown text, each with its proof; a file that took too long carries none. Those of the
   * projects' configurations come after, where they are wanted.
   */
  async diagnostics(
    paths: readonly WorkspacePath[],
    options: SettleOptions,
    signal: AbortSignal,
  ): Promise<readonly FileDiagnostics[]> {
    const answers = await settledDiagnostics(this.#held.replica, paths, options, signal);
    const settled = answers.filter(
      ({ proof, isUnasked, lacksHints }) => proof.kind !== 'none' && !isUnasked && !lacksHints,
    );
    if (settled.length > 0) this.#measured?.emit(settled);
    return answers;
  }

  /** Where projects read what others build from these files: that changes when they are built, not before. */
  async outputReaders(paths: readonly WorkspacePath[], signal: AbortSignal): Promise<readonly string[]> {
    const { projects } = this.#held.replica;
    if (!projects || (await projects.count(signal)) < 2) return [];
    const shown = await projects.current(signal);
    return [...new Set(paths.flatMap((path) => shown?.outputReaders(path) ?? []))];
  }

  /** Names the files of every project of what is shown; undefined where the server does not tell. */
  async projectFiles(signal: AbortSignal): Promise<string | undefined> {
    return (await this.#held.replica.projects?.current(signal))?.fileLists;
  }

  /**
   * Gives the server a command. The edits it asks for meanwhile go to `accept`; after each the server is
   * shown the disk again, since it goes on from what it believes to have changed.
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
   * Hands the server on. Whoever takes it next shows it their own overlay first, and the pool lays off what is
   * left when nobody comes, so nothing of this overlay can be seen from here on. A server that others talk to
   * as well is put right before it leaves our hands.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const { replica } = this.#held;
    try {
      if (replica.isShared && replica.server.isRunning) await replica.showDisk();
    } catch (thrown) {
      // The next holder shows its own overlay from whatever state this left; a dead server is replaced.
      this.#log.warning('lease.restore-failed', { code: 'servers/restore-failed', error: messageOf(thrown) });
    } finally {
      this.#held.release();
    }
  }
}
