/**
 * One running server and the overlay it shows.
 *
 * Invariants: only its holder (see ServerPool) changes what it shows; nothing here locks. Changes on disk are reported to
 * the server before it is shown anything again.
 */

import { notifyFileEvents, type WatchedFileEvent } from '../../lsp/feature/watched-file.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import type { WorkspaceFolder } from '../../lsp/server-options.ts';
import { type FileEvent, joinEvent } from '../../workspace/file-event.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { GoPlatform } from '../go/build-constraint.ts';
import { noEffect, type OverlayEffect, type Projection } from '../projection.ts';
import type { ServerDefinition } from '../server-definition.ts';
import type { ServerEdits } from '../server-edits.ts';
import type { ShownSite, Site } from '../server-site.ts';
import type { Projects } from '../typescript/typescript-projects.ts';
import { DocumentAnswers } from './document-answers.ts';

/** How a replica runs, fixed for its life. */
export interface ReplicaSetup {
  readonly mode: 'buffers' | 'mounted' | 'copied';
  /** Whether other clients use the server too, so that no overlay may remain in it after a lease. */
  readonly isShared?: boolean;
  /** Whether a broker keeps the server; the broker isolates our overlays from those of its other clients. */
  readonly isBrokered?: boolean;
  /** The environment the server runs in; disposed after the server. */
  readonly site: Site;
  /** The same site, if overlays are shown as files. */
  readonly shown?: ShownSite;
  /** The target platform of builds, for languages where it excludes files. */
  readonly platform?: GoPlatform | undefined;
}

export interface ReplicaParts extends ReplicaSetup {
  readonly server: LanguageServer;
  readonly definition: ServerDefinition;
  readonly projection: Projection;
  /** Receives the edits the server requests. */
  readonly edits: ServerEdits;
  /** The projects of the shown files; absent if the server has no notion of projects. */
  readonly projects?: Projects | undefined;
}

export class Replica implements AsyncDisposable {
  readonly server: LanguageServer;
  readonly definition: ServerDefinition;
  readonly projection: Projection;
  readonly edits: ServerEdits;
  readonly projects: Projects | undefined;
  readonly setup: ReplicaSetup;
  readonly answers: DocumentAnswers;
  readonly unheard = new UnheardChanges();
  /** The file whose diagnostics were last requested. A new replica is warmed up with it. */
  lastAsked: WorkspacePath | undefined;
  #shownAtSequence = 0;
  #showsOverlay = false;

  constructor(parts: ReplicaParts) {
    this.server = parts.server;
    this.definition = parts.definition;
    this.projection = parts.projection;
    this.edits = parts.edits;
    this.projects = parts.projects;
    this.setup = parts;
    this.answers = new DocumentAnswers(parts.server.documents);
  }

  /** The publication counter when the current overlay was shown; earlier publications are about another text. */
  get shownAtSequence(): number {
    return this.#shownAtSequence;
  }

  /** Whether anything but the disk is shown. */
  get showsOverlay(): boolean {
    return this.#showsOverlay;
  }

  async show(effect: OverlayEffect): Promise<void> {
    this.#shownAtSequence = this.server.publications.sequence;
    if (!this.unheard.isEmpty) await this.#report();
    this.#showsOverlay = effect.size > 0;
    await this.projection.show(effect);
  }

  /** Shows the disk without an overlay; does not wait for the server to process the change. */
  async showDisk(): Promise<void> {
    await this.show(noEffect);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.projects?.[Symbol.dispose]();
    await this.server[Symbol.asyncDispose]();
    await this.setup.site[Symbol.asyncDispose]();
  }

  async #report(): Promise<void> {
    const { disk, outside, folders } = this.unheard.take();
    if (folders) this.server.setAddedFolders(folders);
    notifyFileEvents(this.server, outside);
    if (disk.length > 0) await this.projection.diskChanged(disk);
  }
}

interface Changes {
  readonly disk: readonly FileEvent[];
  readonly outside: readonly WatchedFileEvent[];
  readonly folders: readonly WorkspaceFolder[] | undefined;
}

/** What a server was not told yet. There is at most one event per path of the workspace, however long it is idle. */
class UnheardChanges {
  #disk = new Map<WorkspacePath, FileEvent>();
  #outside: WatchedFileEvent[] = [];
  #folders: readonly WorkspaceFolder[] | undefined;

  get isEmpty(): boolean {
    return this.#disk.size === 0 && this.#outside.length === 0 && this.#folders === undefined;
  }

  addDisk(events: readonly FileEvent[]): void {
    for (const event of events) joinEvent(this.#disk, event);
  }

  /** Events of files outside the workspace. */
  addOutside(events: readonly WatchedFileEvent[]): void {
    for (const event of events) this.#outside.push(event);
  }

  /** The folders besides the workspace itself. */
  setFolders(added: readonly WorkspaceFolder[]): void {
    this.#folders = added;
  }

  take(): Changes {
    const changes = { disk: [...this.#disk.values()], outside: this.#outside, folders: this.#folders };
    this.#disk = new Map();
    this.#outside = [];
    this.#folders = undefined;
    return changes;
  }
}
