/**
 * Snapshots of the projects that a server shows, taken in a session of TypeScript's API.
 *
 * Invariant: a snapshot contains exactly what was shown when it was asked for. One that was taken ahead is used only if
 * nothing was sent to the server since.
 */
import { messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Projection } from '../projection.ts';
import type { Site } from '../server-site.ts';
import { type ApiProject, ApiSession } from './api-session.ts';
import { announceChanged, CreatedFiles } from './created-files.ts';
import type { ProjectConfigs } from './project-configs.ts';

export interface ProjectsParts {
  readonly server: LanguageServer;
  readonly projection: Projection;
  /** The workspace as the server sees it. */
  readonly workspace: Workspace;
  readonly configs: ProjectConfigs;
  /** Where the server runs. */
  readonly site: Pick<Site, 'socketAt'>;
  readonly log: Log;
}

export interface TakenSnapshot {
  readonly session: ApiSession;
  readonly projects: readonly ApiProject[];
  /** The configurations of the projects by their absolute paths. */
  readonly byFile: ReadonlyMap<string, WorkspacePath>;
}

interface SnapshotParts extends ProjectsParts {
  /** Whether a project on disk holds a file; others may be new. */
  readonly isHeldOnDisk: (path: WorkspacePath) => boolean;
  /** The path of a file for the API. */
  readonly fileAt: (path: WorkspacePath) => string;
}

interface SnapshotRequest extends Pick<TakenSnapshot, 'session' | 'byFile'> {
  /** Called when the server has begun with it. */
  readonly onAsked?: (() => void) | undefined;
}

/** Callers take snapshots one after another. */
export class ProjectSnapshots implements Disposable {
  readonly #parts: SnapshotParts;
  readonly #createdFiles = new CreatedFiles();
  #session: ApiSession | 'none' | undefined;
  /** Configurations that are open in the session, by absolute path. */
  #open: ReadonlySet<string> = new Set();
  #ahead: { readonly generation: number; readonly taken: TakenSnapshot } | undefined;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  /** Whether what was read is still to be had; also if the server is known to have no session. */
  get isAlive(): boolean {
    return this.#session === 'none' || this.#session?.isOpen === true;
  }

  /** The session of the last snapshot, which may have ended. */
  get session(): ApiSession | undefined {
    return this.#session === 'none' ? undefined : this.#session;
  }

  /** A snapshot of what is shown; undefined if there are no projects or the server has no API session. */
  async take(signal: AbortSignal): Promise<TakenSnapshot | undefined> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    const isCurrent = ahead?.generation === this.#parts.projection.generation;
    return isCurrent && this.isAlive && ahead.taken.session === this.#session
      ? ahead.taken
      : this.#take(signal);
  }

  /**
   * Takes the next snapshot before it is asked for; `onAsked` is called when the server has begun with it. Undefined if that
   * did not succeed: then `take` does it, and fails with the reason.
   */
  async takeAhead(
    generation: number,
    onAsked: () => void,
    signal: AbortSignal,
  ): Promise<TakenSnapshot | undefined> {
    const { projection, log } = this.#parts;
    try {
      if (projection.generation !== generation) return undefined;
      const taken = await this.#take(signal, onAsked);
      // What was sent meanwhile may be part of the snapshot.
      if (taken === undefined || projection.generation !== generation) return undefined;
      this.#ahead = { generation, taken };
      return taken;
    } catch (thrown) {
      const code = 'servers/snapshot-ahead-failed';
      log.debug('typescript.snapshot-ahead-failed', { code, error: messageOf(thrown) });
      return undefined;
    } finally {
      onAsked();
    }
  }

  /** The snapshot once more, after the server was made to read the configurations again. */
  async retake(taken: TakenSnapshot, signal: AbortSignal): Promise<TakenSnapshot> {
    announceChanged(this.#parts, [...taken.byFile.values()]);
    return this.#refresh(taken, signal);
  }

  [Symbol.dispose](): void {
    this.session?.[Symbol.dispose]();
    this.#session = undefined;
  }

  async #take(signal: AbortSignal, onAsked?: () => void): Promise<TakenSnapshot | undefined> {
    const { projection, configs, isHeldOnDisk, fileAt } = this.#parts;
    const wanted = await configs.under(projection.shown, signal);
    if (wanted.length === 0) return undefined;
    const session = await this.#openSession(signal);
    if (session === undefined) return undefined;
    // A partly loaded project would contain fewer files than the compiler's.
    if (wanted.length > 1) await projection.include?.('everything');
    await this.#createdFiles.announce(this.#parts, isHeldOnDisk, signal);
    const byFile = new Map(wanted.map((path) => [fileAt(path), path]));
    return this.#refresh({ session, byFile, onAsked }, signal);
  }

  async #refresh({ session, byFile, onAsked }: SnapshotRequest, signal: AbortSignal): Promise<TakenSnapshot> {
    const change = {
      open: [...byFile.keys()].filter((file) => !this.#open.has(file)),
      close: [...this.#open].filter((file) => !byFile.has(file)),
      onAsked,
    };
    const projects = await session.refresh(change, signal);
    this.#open = new Set(byFile.keys());
    return { session, byFile, projects };
  }

  async #openSession(signal: AbortSignal): Promise<ApiSession | undefined> {
    if (!this.isAlive) {
      this.#session = undefined;
      this.#open = new Set();
      this.#session = (await ApiSession.open(this.#parts, signal)) ?? 'none';
    }
    return this.session;
  }
}
