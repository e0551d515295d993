/**
 * Which versions of its open documents a server has answered for.
 *
 * Invariant: a publication counts for a text only if it carries a version that was sent for this text; a document that was
 * answered for gets a new version before it is awaited again.
 */
import type { OpenDocuments } from '../../lsp/document.ts';

export class DocumentAnswers {
  readonly #documents: OpenDocuments;
  readonly #settledVersions = new Map<string, number>();
  readonly #readVersions = new Map<string, number>();

  constructor(documents: OpenDocuments) {
    this.#documents = documents;
  }

  /**
   * The version a publication about `uri` must carry to count. A document that did not change since its last settled
   * answer is sent again under a higher version: a change to another file may have altered its diagnostics, and
   * without a new version a new publication could not be told from an old one.
   */
  versionToAwait(uri: string): number {
    const document = this.#documents.get(uri);
    if (!document) throw new Error(`${uri} is awaited but not open`);
    if (this.#settledVersions.get(uri) !== document.version) return document.version;
    return this.#documents.touch(uri);
  }

  /** The last version of an open document that the server was sent; zero if it is not open. */
  sentVersion(uri: string): number {
    return this.#documents.get(uri)?.version ?? 0;
  }

  settled(uri: string, version: number): void {
    this.#settledVersions.set(uri, version);
  }

  /** Whether the server has proved that it read the current text of a document. */
  hasRead(uri: string): boolean {
    const version = this.#documents.get(uri)?.version;
    return version !== undefined && this.#readVersions.get(uri) === version;
  }

  noteRead(uri: string, version: number): void {
    this.#readVersions.set(uri, version);
  }
}
