/**
 * Shows an overlay as the text of a server's open documents.
 *
 * Invariant: an open document that the shown overlay does not change has the text of the disk. See projection.ts for
 * the invariants of all projections.
 */

import { notifyFileEvents } from '../lsp/feature/watched-file.ts';
import type { LanguageServer } from '../lsp/language-server.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { OpenDocumentCache } from './open-document-cache.ts';
import {
  noEffect,
  type OverlayEffect,
  type Projection,
  type ProjectionParts,
  textUnder,
} from './projection.ts';
import type { LoadScope } from './scope/load-scope.ts';
import type { ServerDefinition } from './server-definition.ts';

export class BufferProjection implements Projection {
  readonly #server: LanguageServer;
  readonly #definition: ServerDefinition;
  readonly #workspace: Workspace;
  readonly #disk: DiskState;
  readonly #documentCache: OpenDocumentCache;
  /** Undefined once the server has loaded everything. */
  #scope: LoadScope | undefined;
  #generation = 0;
  #shown: OverlayEffect = noEffect;

  constructor({ server, definition, workspace, disk, scope }: ProjectionParts) {
    this.#scope = scope;
    this.#server = server;
    this.#definition = definition;
    this.#workspace = workspace;
    this.#disk = disk;
    this.#documentCache = new OpenDocumentCache(server, definition, (path) => this.uri(path));
  }

  uri(path: WorkspacePath): string {
    return this.#workspace.uri(path);
  }

  get diskEpoch(): number {
    return this.#disk.epoch;
  }

  get generation(): number {
    return this.#generation;
  }

  get shown(): OverlayEffect {
    return this.#shown;
  }

  async text(path: WorkspacePath, shown: OverlayEffect = this.#shown): Promise<string | undefined> {
    return textUnder(shown, path, (onDisk) => this.#disk.text(onDisk));
  }

  get leftOut(): number {
    return this.#scope?.leftOut ?? 0;
  }

  async include(paths: readonly WorkspacePath[] | 'everything'): Promise<void> {
    await (paths === 'everything' ? this.#scope?.includeEverything() : this.#scope?.include(paths, 'asked'));
    this.#forgetWholeScope();
  }

  #forgetWholeScope(): void {
    if (this.#scope?.isWhole) this.#scope = undefined;
  }

  async show(effect: OverlayEffect): Promise<void> {
    this.#generation += 1;
    await this.#scope?.include(effect.keys(), 'edited');
    this.#forgetWholeScope();
    const before = this.#shown;
    this.#shown = effect;
    for (const [path, content] of before) {
      if (!effect.has(path)) await this.#layOff(path, content);
    }
    for (const [path, content] of effect) {
      if (content === 'removed') this.#hide(path);
      else if (content.kind === 'text') await this.#lay(path, content.text, before.get(path));
    }
    this.#documentCache.tidy(effect);
  }

  async open(paths: readonly WorkspacePath[]): Promise<void> {
    await this.include(paths);
    for (const path of paths) {
      if (!this.#shown.has(path)) await this.#putDiskText(path);
    }
  }

  async diskChanged(events: readonly FileEvent[]): Promise<void> {
    this.#generation += 1;
    if (events.length > 0) this.#documentCache.outdate();
    notifyFileEvents(
      this.#server,
      events.map(({ path, kind }) => ({ uri: this.uri(path), kind })),
    );
    for (const { path } of events) {
      if (this.#documentCache.has(path) && !this.#shown.has(path)) await this.#putDiskText(path);
    }
  }

  async #lay(path: WorkspacePath, text: string, before: FileContent | 'removed' | undefined): Promise<void> {
    if (before === 'removed') this.#unhide(path);
    // Some servers update dependents after a change, but not after a first opening with another text.
    const isFirst = this.#definition.quirks.opensWithDiskTextFirst && !this.#documentCache.has(path);
    if (isFirst) await this.#putDiskText(path);
    this.#documentCache.put(path, text);
  }

  async #layOff(path: WorkspacePath, content: FileContent | 'removed'): Promise<void> {
    if (content === 'removed') this.#unhide(path);
    else if (this.#documentCache.has(path)) await this.#putDiskText(path);
  }

  /** If the file does not exist or is not text, its document is closed. */
  async #putDiskText(path: WorkspacePath): Promise<void> {
    const text = await this.#disk.text(path);
    if (text === undefined) this.#documentCache.close(path);
    else this.#documentCache.put(path, text);
  }

  #hide(path: WorkspacePath): void {
    this.#documentCache.close(path);
    notifyFileEvents(this.#server, [{ uri: this.uri(path), kind: 'deleted' }]);
  }

  #unhide(path: WorkspacePath): void {
    if (this.#disk.exists(path)) notifyFileEvents(this.#server, [{ uri: this.uri(path), kind: 'created' }]);
  }
}
