/**
 * Which version of a client's document a version of the server's stands for.
 *
 * The server counts the texts of all clients, each client only its own.
 *
 * Invariant: what is answered names the very text that was asked about; a version given to another client's text, or
 * too long ago to be remembered, has no answer.
 */
import { canonicalUri } from '../lsp/document-uri.ts';

/** How many texts of a document are remembered: what a server still speaks of is among the last few. */
const remembered = 16;

export class VersionMap {
  readonly #documents = new Map<string, Map<number, number>>();

  /** The server has, under `server`, the text the client has under `client`. */
  set(uri: string, { server, client }: { readonly server: number; readonly client: number }): void {
    const key = canonicalUri(uri);
    const versions = this.#documents.get(key) ?? new Map<number, number>();
    this.#documents.set(key, versions);
    // A text the client came back to is known by the newest of its names.
    versions.delete(server);
    versions.set(server, client);
    const [oldest] = versions.keys();
    if (versions.size > remembered && oldest !== undefined) versions.delete(oldest);
  }

  get(uri: string, server: number): number | undefined {
    return this.#documents.get(canonicalUri(uri))?.get(server);
  }
}
