/**
 * Shows an overlay as real files in the mount a server runs in.
 *
 * Invariant: the mounted files differ from the disk at exactly the paths of the shown effect; files that were changed
 * in the mount before have the content of the disk again. See projection.ts for the invariants of all projections.
 */

import { notifyFileEvents } from '../lsp/feature/watched-file.ts';
import type { LanguageServer } from '../lsp/language-server.ts';
import type { ShownWorkspace } from '../sandbox/mounted-workspace.ts';
import { hashContent } from '../workspace/content-hash.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { ImportResolutions, OpenDocumentCache } from './buffer-projection.ts';
import {
  type OverlayEffect,
  type Projection,
  type ProjectionParts,
  textUnder,
  type WholeDocuments,
} from './projection.ts';

interface MountProjectionParts extends ProjectionParts {
  readonly mount: ShownWorkspace;
  /**
   * The effect in the mount when the server started. It is not written again: a server that is still reading its
   * configuration could find the file empty and use its defaults.
   */
  readonly shown: OverlayEffect;
}

export class MountProjection implements Projection {
  readonly #server: LanguageServer;
  readonly #mount: ShownWorkspace;
  readonly #workspace: Workspace;
  readonly #disk: DiskState;
  readonly #documentCache: OpenDocumentCache;
  readonly #resolutions: ImportResolutions;
  #generation = 0;
  #diskEpoch: number;
  #shown: OverlayEffect;

  constructor(parts: MountProjectionParts) {
    const { server, definition, workspace, disk, diskEpoch, mount, shown } = parts;
    this.#shown = shown;
    this.#server = server;
    this.#mount = mount;
    this.#workspace = workspace;
    this.#disk = disk;
    this.#diskEpoch = diskEpoch;
    this.#resolutions = new ImportResolutions(parts, (path) => this.uri(path));
    this.#documentCache = new OpenDocumentCache(server, definition, (path) => this.uri(path));
  }

  uri(path: WorkspacePath): string {
    return this.#workspace.uri(path);
  }

  get diskEpoch(): number {
    return this.#diskEpoch;
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

  async show(effect: OverlayEffect): Promise<void> {
    this.#generation += 1;
    await this.#resolutions.compare(this.#shown, effect);
    const events = [...(await this.#restoreDropped(effect)), ...(await this.#writeChanged(effect))];
    this.#shown = effect;
    if (events.length > 0) this.#documentCache.outdate();
    this.#tell(events);
    for (const { path } of events) await this.#syncDocument(path);
    await this.#resolutions.renew();
    this.#documentCache.tidy(effect);
  }

  /** Restores the shown paths that are not in `effect` from the disk. */
  async #restoreDropped(effect: OverlayEffect): Promise<readonly FileEvent[]> {
    const events: FileEvent[] = [];
    for (const [path, content] of this.#shown) {
      if (effect.has(path)) continue;
      await this.#mount.restore(path);
      events.push({ path, kind: eventKind(content, this.#onDisk(path)) });
    }
    return events;
  }

  async #writeChanged(effect: OverlayEffect): Promise<readonly FileEvent[]> {
    const events: FileEvent[] = [];
    for (const [path, content] of effect) {
      const before = this.#shown.get(path) ?? this.#onDisk(path);
      if (isSame(before, content)) continue;
      if (content === 'removed') await this.#mount.remove(path);
      else await this.#mount.write(path, content);
      events.push({ path, kind: eventKind(before, content) });
    }
    return events;
  }

  #onDisk(path: WorkspacePath): 'present' | 'removed' {
    return this.#disk.exists(path) ? 'present' : 'removed';
  }

  async open(paths: readonly WorkspacePath[]): Promise<void> {
    for (const path of paths) {
      const text = await this.text(path);
      if (text !== undefined) this.#documentCache.put(path, text);
    }
  }

  async openWhole(paths: readonly WorkspacePath[], signal: AbortSignal): Promise<WholeDocuments> {
    return this.#documentCache.openWhole(paths, (path) => this.text(path), signal);
  }

  /** The mount does not follow the disk by itself, so changed paths are restored one by one. */
  async diskChanged(events: readonly FileEvent[]): Promise<void> {
    this.#generation += 1;
    // Before anything is awaited: what is learned of the disk from here on is queued for the next report.
    this.#diskEpoch = this.#disk.epoch;
    const shown = events.filter(({ path }) => !this.#shown.has(path));
    for (const { path } of shown) await this.#mount.restore(path);
    if (shown.length > 0) this.#documentCache.outdate();
    await this.#resolutions.compareDisk(shown);
    this.#tell(shown);
    for (const { path } of shown) await this.#syncDocument(path);
    await this.#resolutions.renew();
  }

  #tell(events: readonly FileEvent[]): void {
    notifyFileEvents(
      this.#server,
      events.map(({ path, kind }) => ({ uri: this.uri(path), kind })),
    );
  }

  async #syncDocument(path: WorkspacePath): Promise<void> {
    if (!this.#documentCache.has(path)) return;
    const text = await this.text(path);
    if (text === undefined) this.#documentCache.close(path);
    else this.#documentCache.put(path, text);
  }
}

type Presence = FileContent | 'present' | 'removed';

function isSame(before: Presence, after: FileContent | 'removed'): boolean {
  if (before === 'present' || before === 'removed' || after === 'removed') return before === after;
  return before === after || hashContent(before) === hashContent(after);
}

function eventKind(before: Presence, after: Presence): FileEvent['kind'] {
  if (after === 'removed') return 'deleted';
  return before === 'removed' ? 'created' : 'changed';
}
