/**
 * One running server and the overlay it shows.
 *
 * Invariant: only its holder (see ServerPool) changes what it shows; nothing here locks.
 */

import { notifyFileEvents, type WatchedFileEvent } from '../../lsp/feature/watched-file.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import type { WorkspaceFolder } from '../../lsp/server-options.ts';
import { type FileEvent, joinEvent } from '../../workspace/file-event.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { GoPlatform } from '../go/build-constraint.ts';
import { noEffect, type OverlayEffect } from '../overlay-effect.ts';
import type { Projection } from '../projection.ts';
import type { ServerDefinition } from '../server-definition.ts';
import type { ServerEdits } from '../server-edits.ts';
import type { ShownSite, Site } from '../server-site.ts';
import type { Projects } from '../typescript/typescript-projects.ts';

export interface ReplicaParts {
  readonly server: LanguageServer;
  readonly definition: ServerDefinition;
  readonly projection: Projection;
  /** Receives the edits the server requests. */
  readonly edits: ServerEdits;
  readonly mode: 'buffers' | 'mounted' | 'copied';
  /** Whether other clients use the server too, so that no overlay may remain in it after a lease. */
  readonly isShared?: boolean;
  /** Whether a broker keeps the server; the broker isolates our overlays from those of its other clients. */
  readonly isBrokered?: boolean;
  /** The environment the server runs in; disposed after the server. */
  readonly site: Site;
  /** The same site, if overlays are shown as files. */
  readonly shown?: ShownSite;
  /** The projects of the shown files; absent if the server has no notion of projects. */
  readonly projects?: Projects | undefined;
  /** The target platform of builds, for languages where it excludes files. */
  readonly platform?: GoPlatform | undefined;
}

export class Replica implements AsyncDisposable {
  readonly server: LanguageServer;
  readonly definition: ServerDefinition;
  readonly projection: Projection;
  readonly edits: ServerEdits;
  readonly mode: ReplicaParts['mode'];
  readonly isShared: boolean;
  readonly isBrokered: boolean;
  readonly site: Site;
  readonly shown: ShownSite | undefined;
  readonly projects: Projects | undefined;
  readonly platform: GoPlatform | undefined;
  readonly #settledVersions = new Map<string, number>();
  readonly #readVersions = new Map<string, number>();
  /** At most one event per path, however long the server is idle. */
  #unheard = new Map<WorkspacePath, FileEvent>();
  #unheardOutside: WatchedFileEvent[] = [];
  #addedFolders: readonly WorkspaceFolder[] | undefined;
  #shownAtSequence = 0;
  #showsOverlay = false;
  #lastAsked: WorkspacePath | undefined;

  constructor(parts: ReplicaParts) {
    this.server = parts.server;
    this.definition = parts.definition;
    this.projection = parts.projection;
    this.edits = parts.edits;
    this.mode = parts.mode;
    this.isShared = parts.isShared ?? false;
    this.isBrokered = parts.isBrokered ?? false;
    this.site = parts.site;
    this.shown = parts.shown;
    this.projects = parts.projects;
    this.platform = parts.platform;
  }

  /** The publication counter when the current overlay was shown; earlier publications are about another text. */
  get shownAtSequence(): number {
    return this.#shownAtSequence;
  }

  /** Whether anything but the disk is shown. */
  get showsOverlay(): boolean {
    return this.#showsOverlay;
  }

  /** The file whose diagnostics were last requested. A new replica is warmed up with it. */
  get lastAsked(): WorkspacePath | undefined {
    return this.#lastAsked;
  }

  noteAsked(path: WorkspacePath): void {
    this.#lastAsked = path;
  }

  /** Queues changes on disk; the server is notified of them before it is shown anything again. */
  queueDiskEvents(events: readonly FileEvent[]): void {
    for (const event of events) joinEvent(this.#unheard, event);
  }

  /** As `queueDiskEvents`, for files outside the workspace. */
  queueOutsideEvents(events: readonly WatchedFileEvent[]): void {
    for (const event of events) this.#unheardOutside.push(event);
  }

  /** Sets the folders besides the workspace itself; the server is notified before it is shown anything again. */
  setAddedFolders(added: readonly WorkspaceFolder[]): void {
    this.#addedFolders = added;
  }

  async show(effect: OverlayEffect): Promise<void> {
    this.#shownAtSequence = this.server.publications.sequence;
    if (this.#addedFolders) this.server.setAddedFolders(this.#addedFolders);
    this.#addedFolders = undefined;
    if (this.#unheardOutside.length > 0) notifyFileEvents(this.server, this.#unheardOutside.splice(0));
    if (this.#unheard.size > 0) {
      const events = [...this.#unheard.values()];
      this.#unheard = new Map();
      await this.projection.diskChanged(events);
    }
    this.#showsOverlay = effect.size > 0;
    await this.projection.show(effect);
  }

  /** Shows the disk without an overlay; does not wait for the server to process the change. */
  async showDisk(): Promise<void> {
    await this.show(noEffect);
  }

  /**
   * The version a publication about `uri` must carry to count. A document that did not change since its last settled
   * answer is sent again under a higher version: a change to another file may have altered its diagnostics, and
   * without a new version a new publication could not be told from an old one.
   */
  versionToAwait(uri: string): number {
    const document = this.server.documents.get(uri);
    if (!document) throw new Error(`${uri} is awaited but not open`);
    if (this.#settledVersions.get(uri) !== document.version) return document.version;
    return this.server.documents.touch(uri);
  }

  /** The last version of an open document that the server was sent; zero if it is not open. */
  sentVersion(uri: string): number {
    return this.server.documents.get(uri)?.version ?? 0;
  }

  /** Whether the server has proved that it read the current text of a document. */
  hasRead(uri: string): boolean {
    const version = this.server.documents.get(uri)?.version;
    return version !== undefined && this.#readVersions.get(uri) === version;
  }

  noteRead(uri: string, version: number): void {
    this.#readVersions.set(uri, version);
  }

  settled(uri: string, version: number): void {
    this.#settledVersions.set(uri, version);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.projects?.[Symbol.dispose]();
    await this.server[Symbol.asyncDispose]();
    await this.site[Symbol.asyncDispose]();
  }
}
