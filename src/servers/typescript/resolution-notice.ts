/**
 * Has a server resolve all imports again where a text is replaced by one that imports the same modules in another mode.
 *
 * Invariant: the texts of a replaced file are compared before the new one is sent, and the configurations are reported
 * after it. Of a file that is not open the text before a change on disk is not known: modes that it lost there go
 * unnoticed until something else makes the server resolve its imports.
 */
import { notifyFileEvents } from '../../lsp/feature/watched-file.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { type OverlayEffect, type ProjectionParts, textUnder } from '../projection.ts';
import { resolvesOtherwise } from './import-modes.ts';

interface NoticeParts extends Pick<ProjectionParts, 'configs'> {
  readonly server: LanguageServer;
  readonly uri: (path: WorkspacePath) => string;
  readonly diskText: (path: WorkspacePath) => Promise<string | undefined>;
}

export class ResolutionNotice {
  readonly #parts: NoticeParts;
  #isDue = false;

  constructor(parts: NoticeParts) {
    this.#parts = parts;
  }

  /** Call before another effect is shown. */
  async compare(before: OverlayEffect, after: OverlayEffect): Promise<void> {
    if (this.#parts.configs === undefined || this.#isDue) return;
    for (const path of new Set([...before.keys(), ...after.keys()])) {
      if (before.get(path) === after.get(path)) continue;
      const old = await textUnder(before, path, this.#parts.diskText);
      const young = await textUnder(after, path, this.#parts.diskText);
      // A file that comes or goes is resolved in any case.
      if (old === undefined || young === undefined || !resolvesOtherwise(path, old, young)) continue;
      this.#isDue = true;
      return;
    }
  }

  /** Call before changes on disk are reported that the server is not shown in another form. */
  async compareDisk(events: readonly FileEvent[]): Promise<void> {
    const { configs, server, uri, diskText } = this.#parts;
    if (configs === undefined || this.#isDue) return;
    for (const { path } of events.filter(({ kind }) => kind === 'changed')) {
      if (!isScript.test(path)) continue;
      const young = await diskText(path);
      const old = server.documents.get(uri(path))?.text;
      if (young === undefined || !resolvesOtherwise(path, old, young)) continue;
      this.#isDue = true;
      return;
    }
  }

  /** Call when all texts are sent. */
  async send(): Promise<void> {
    const { configs, server, uri } = this.#parts;
    if (!this.#isDue || configs === undefined) return;
    const events = (await configs()).map((path) => ({ uri: uri(path), kind: 'changed' }) as const);
    notifyFileEvents(server, events);
    this.#isDue = false;
  }
}

const isScript = /\.[cm]?[jt]sx?$/i;
