/**
 * One running server and what it shows.
 *
 * Invariant: only its holder (see ServerPool) changes what it shows; nothing here locks.
 */
import type { LanguageServer } from '../lsp/language-server.ts';
import type { MountedWorkspace } from '../sandbox/mounted-workspace.ts';
import type { FileEvent } from '../workspace/watcher.ts';
import { noEffect, type OverlayEffect } from './overlay-effect.ts';
import type { Projection } from './projection.ts';
import type { ServerDefinition } from './server-definition.ts';

export interface ReplicaParts {
  readonly server: LanguageServer;
  readonly definition: ServerDefinition;
  readonly projection: Projection;
  readonly way: 'buffers' | 'mounted' | 'copied';
  /** What the server runs in, disposed after it. */
  readonly mount?: MountedWorkspace;
}

export class Replica implements AsyncDisposable {
  readonly server: LanguageServer;
  readonly definition: ServerDefinition;
  readonly projection: Projection;
  readonly way: ReplicaParts['way'];
  readonly mount: MountedWorkspace | undefined;
  readonly #settledVersions = new Map<string, number>();
  #unheard: FileEvent[] = [];
  #shownAtSequence = 0;

  constructor(parts: ReplicaParts) {
    this.server = parts.server;
    this.definition = parts.definition;
    this.projection = parts.projection;
    this.way = parts.way;
    this.mount = parts.mount;
  }

  /** The publication counter when the current overlay was shown: what came earlier is about another text. */
  get shownAtSequence(): number {
    return this.#shownAtSequence;
  }

  /** Takes note of changes on disk; the server hears of them before it is shown anything again. */
  hear(events: readonly FileEvent[]): void {
    this.#unheard.push(...events);
  }

  async show(effect: OverlayEffect): Promise<void> {
    this.#shownAtSequence = this.server.publications.sequence;
    if (this.#unheard.length > 0) {
      const events = this.#unheard;
      this.#unheard = [];
      await this.projection.diskChanged(events);
    }
    await this.projection.show(effect);
  }

  /** Lays everything speculative off, without waiting for anything the server does about it. */
  async showDisk(): Promise<void> {
    await this.show(noEffect);
  }

  /**
   * The version a publication about `uri` must carry to count. A document that did not change since its last
   * settled answer is sent anew under a higher version: another file's change may have altered its
   * diagnostics, and only a new version makes the next publication tell.
   */
  versionToAwait(uri: string): number {
    const document = this.server.documents.get(uri);
    if (!document) throw new Error(`${uri} is awaited but not open`);
    if (this.#settledVersions.get(uri) !== document.version) return document.version;
    return this.server.documents.touch(uri);
  }

  settled(uri: string, version: number): void {
    this.#settledVersions.set(uri, version);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.mount?.[Symbol.asyncDispose]();
  }
}
