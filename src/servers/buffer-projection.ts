/**
 * Shows an overlay as the text of a server's open documents.
 *
 * Invariant: an open document that the shown overlay does not change has the text of the disk. See projection.ts for
 * the invariants of all projections.
 */
import type { Publication } from '../lsp/diagnostic.ts';
import { canonicalUri } from '../lsp/document.ts';
import { notifyFileEvents } from '../lsp/feature/watched-file.ts';
import type { LanguageServer } from '../lsp/language-server.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { headOf } from './c/preamble.ts';
import { type WholeText, wholeTextOf } from './c/whole-text.ts';
import { documentIdOf, languageOf } from './language.ts';
import {
  noEffect,
  type OverlayEffect,
  type Projection,
  type ProjectionParts,
  replacedTexts,
  textUnder,
  type WholeDocuments,
} from './projection.ts';
import type { LoadScope } from './scope/load-scope.ts';
import type { ServerDefinition } from './server-definition.ts';
import { keepsResolutionOfOld, keepsWrongResolution, reportConfigs } from './typescript/resolution-notice.ts';

export class BufferProjection implements Projection {
  readonly #server: LanguageServer;
  readonly #definition: ServerDefinition;
  readonly #workspace: Workspace;
  readonly #disk: DiskState;
  readonly #documentCache: OpenDocumentCache;
  readonly #resolutions: ImportResolutions;
  /** Undefined once the server has loaded everything. */
  #scope: LoadScope | undefined;
  #generation = 0;
  #diskEpoch: number;
  #shown: OverlayEffect = noEffect;
  /** The shown effect, once all of it was sent. */
  #sent: OverlayEffect | undefined;

  constructor(parts: ProjectionParts) {
    const { server, definition, workspace, disk, diskEpoch, scope } = parts;
    this.#scope = scope;
    this.#server = server;
    this.#definition = definition;
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
    if (this.#isSent(effect)) return;
    this.#sent = undefined;
    this.#generation += 1;
    await this.#scope?.include(effect.keys(), 'edited');
    this.#forgetWholeScope();
    const before = this.#shown;
    await this.#resolutions.compare(before, effect);
    this.#shown = effect;
    for (const [path, content] of before) {
      if (!effect.has(path)) await this.#layOff(path, content);
    }
    for (const [path, content] of effect) {
      if (content === 'removed') this.#hide(path);
      else if (content.kind === 'text') await this.#lay(path, content.text, before.get(path));
    }
    await this.#resolutions.renew();
    this.#documentCache.tidy(effect);
    this.#sent = effect;
  }

  /** Whether to show this effect once more would send nothing. */
  #isSent(effect: OverlayEffect): boolean {
    const isOpen = ([path, content]: readonly [WorkspacePath, FileContent | 'removed']): boolean =>
      content !== 'removed' && this.#documentCache.has(path);
    return effect === this.#sent && effect.size > 0 && [...effect].every(isOpen);
  }

  async open(paths: readonly WorkspacePath[]): Promise<void> {
    await this.include(paths);
    for (const path of paths) {
      if (!this.#shown.has(path)) await this.#putDiskText(path);
      else if (!this.#documentCache.has(path)) await this.#putShownText(path);
    }
  }

  async openWhole(paths: readonly WorkspacePath[], signal: AbortSignal): Promise<WholeDocuments> {
    await this.include(paths);
    return this.#documentCache.openWhole(paths, (path) => this.text(path), signal);
  }

  async diskChanged(events: readonly FileEvent[]): Promise<void> {
    this.#generation += 1;
    // Before anything is awaited: what is learned of the disk from here on is queued for the next report.
    this.#diskEpoch = this.#disk.epoch;
    if (events.length > 0) this.#documentCache.outdate();
    await this.#resolutions.compareDisk(events);
    notifyFileEvents(
      this.#server,
      events.map(({ path, kind }) => ({ uri: this.uri(path), kind })),
    );
    for (const { path } of events) {
      if (this.#documentCache.has(path) && !this.#shown.has(path)) await this.#putDiskText(path);
    }
    await this.#resolutions.renew();
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

  /** For a document of the effect that was closed after it had been open in another form. */
  async #putShownText(path: WorkspacePath): Promise<void> {
    const text = await this.text(path);
    if (text !== undefined) this.#documentCache.put(path, text);
  }

  #hide(path: WorkspacePath): void {
    this.#documentCache.close(path);
    notifyFileEvents(this.#server, [{ uri: this.uri(path), kind: 'deleted' }]);
  }

  #unhide(path: WorkspacePath): void {
    if (this.#disk.exists(path)) notifyFileEvents(this.#server, [{ uri: this.uri(path), kind: 'created' }]);
  }
}

/**
 * How many documents stay open while an overlay is shown. Each open document makes every change more expensive for
 * the server.
 */
const keptThroughChange = 16;

/** How many documents stay open while the disk is shown, for the next request about the same symbol. */
const keptAtRest = 288;

/** How long to wait for an answer about a document that is to be closed. */
const answerTimeoutMs = 10_000;

/**
 * The documents that one server has open for a projection.
 *
 * Documents stay open after use, since the next overlay is likely to change the same ones; the least recently used
 * are closed.
 *
 * Invariant: the cache contains exactly the documents that the server has open.
 */
export class OpenDocumentCache {
  readonly #server: LanguageServer;
  readonly #definition: ServerDefinition;
  readonly #uri: (path: WorkspacePath) => string;
  /** In order of last use. */
  readonly #open = new Set<WorkspacePath>();
  /** Documents for which the server may have cached something outdated. */
  readonly #outdated = new Set<WorkspacePath>();
  /** Documents that were changed since they were opened. */
  readonly #changed = new Set<WorkspacePath>();

  constructor(server: LanguageServer, definition: ServerDefinition, uri: (path: WorkspacePath) => string) {
    this.#server = server;
    this.#definition = definition;
    this.#uri = uri;
  }

  has(path: WorkspacePath): boolean {
    return this.#open.has(path);
  }

  /** Call when files changed that open documents may include. */
  outdate(): void {
    if (this.#definition.quirks.keepsPreambles) for (const path of this.#open) this.#outdated.add(path);
  }

  /** Opens the document at `path` with this text, or changes it to this text. */
  put(path: WorkspacePath, text: string): void {
    if (this.#open.delete(path)) this.#change(path, text);
    else this.#server.documents.open(this.#uri(path), this.#documentId(path), text);
    this.#open.add(path);
  }

  /**
   * Opens the documents without a preamble, but those that have no text. They are closed afterwards: in this form each is
   * compiled anew every time.
   */
  async openWhole(
    paths: readonly WorkspacePath[],
    textOf: (path: WorkspacePath) => Promise<string | undefined>,
    signal: AbortSignal,
  ): Promise<WholeDocuments> {
    const texts = new Map<WorkspacePath, WholeText>();
    for (const path of paths) {
      const text = await textOf(path);
      if (text === undefined) continue;
      const whole = wholeTextOf(text);
      texts.set(path, whole);
      await this.#answered(path, signal);
      this.close(path);
      this.put(path, whole.text);
    }
    return {
      original: (path) => texts.get(path)?.original,
      [Symbol.asyncDispose]: async () => {
        for (const path of texts.keys()) this.close(path);
      },
    };
  }

  /**
   * Waits until the server has answered for a changed document. clangd stops answering for a document that is closed
   * after a change while it compiles the preamble.
   */
  async #answered(path: WorkspacePath, signal: AbortSignal): Promise<void> {
    const { documents, publications } = this.#server;
    const uri = this.#uri(path);
    const version = documents.get(uri)?.version;
    const isAnswered = ({ uri: of, version: published = 0 }: Publication): boolean =>
      of === canonicalUri(uri) && version !== undefined && published >= version;
    if (version === undefined || !this.#changed.has(path)) return;
    const latest = publications.latest(uri);
    if (latest && isAnswered(latest)) return;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]);
    await publications.waitFor(isAnswered, inTime).catch((thrown: unknown) => {
      // Then it is as likely to answer for the document that is opened next, which the caller waits for in its own time.
      if (!inTime.aborted) throw thrown;
    });
  }

  #change(path: WorkspacePath, text: string): void {
    const { documents } = this.#server;
    const uri = this.#uri(path);
    const isOutdated = this.#outdated.delete(path) || this.#hasOtherPreamble(uri, text);
    if (isOutdated) documents.reopen(uri, text);
    else documents.change(uri, text);
    if (isOutdated) this.#changed.delete(path);
    else this.#changed.add(path);
  }

  #hasOtherPreamble(uri: string, text: string): boolean {
    if (!this.#definition.quirks.keepsPreambles) return false;
    const shown = this.#server.documents.get(uri)?.text ?? '';
    return shown !== text && headOf(shown) !== headOf(text);
  }

  close(path: WorkspacePath): void {
    this.#outdated.delete(path);
    this.#changed.delete(path);
    if (this.#open.delete(path)) this.#server.documents.close(this.#uri(path));
  }

  /** Closes the least recently used documents, except `needed`. */
  tidy(needed: { readonly size: number; has(path: WorkspacePath): boolean }): void {
    const kept = needed.size > 0 ? keptThroughChange : keptAtRest;
    for (const path of this.#open) {
      if (this.#open.size <= kept) return;
      if (!needed.has(path)) this.close(path);
    }
  }

  #documentId(path: WorkspacePath): string {
    const language = languageOf(path) ?? this.#definition.languages[0];
    return language === undefined ? 'plaintext' : documentIdOf(path, language);
  }
}

/** The imports that a server has resolved, which some keep although a text imports in another mode. */
export class ImportResolutions {
  readonly #parts: ProjectionParts;
  readonly #uri: Projection['uri'];
  readonly #diskText = (path: WorkspacePath): Promise<string | undefined> => this.#parts.disk.text(path);
  #areStale = false;

  constructor(parts: ProjectionParts, uri: Projection['uri']) {
    this.#parts = parts;
    this.#uri = uri;
  }

  /** Call before another effect is shown. */
  async compare(before: OverlayEffect, after: OverlayEffect): Promise<void> {
    const { keepsResolutionsOf: sign } = this.#parts.definition.quirks;
    if (sign === undefined || this.#parts.configs === undefined) return;
    const replaced = await replacedTexts(sign, [before, after], this.#diskText);
    if (replaced.length > 0) this.#areStale ||= keepsWrongResolution(replaced);
  }

  /** Call before changes on disk are reported that the server is not shown in another form. */
  async compareDisk(events: readonly FileEvent[]): Promise<void> {
    const { definition, server, configs } = this.#parts;
    if (definition.quirks.keepsResolutionsOf === undefined || configs === undefined) return;
    this.#areStale ||= await keepsResolutionOfOld(events, {
      sent: (path) => server.documents.get(this.#uri(path))?.text,
      onDisk: this.#diskText,
    });
  }

  /** Call when all texts are sent. */
  async renew(): Promise<void> {
    if (!this.#areStale) return;
    await reportConfigs(this.#parts, this.#uri);
    this.#areStale = false;
  }
}
