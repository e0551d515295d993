/**
 * Maps versions of the server's documents to versions of a client's documents.
 *
 * The server counts the texts of all clients, each client only its own.
 *
 * Invariant: the returned version identifies exactly the same text; a version of another client's text, or one too
 * old to be remembered, has none.
 */
import { canonicalUri } from '../lsp/document.ts';

/** How many versions of a document are remembered; servers refer only to the last few. */
const remembered = 16;

export class VersionMap {
  readonly #documents = new Map<string, Map<number, number>>();

  /** Records that the server's version `server` is the text of the client's version `client`. */
  set(uri: string, { server, client }: { readonly server: number; readonly client: number }): void {
    const key = canonicalUri(uri);
    const versions = this.#documents.get(key) ?? new Map<number, number>();
    this.#documents.set(key, versions);
    // A text the client returned to is known by its newest version.
    versions.delete(server);
    versions.set(server, client);
    const [oldest] = versions.keys();
    if (versions.size > remembered && oldest !== undefined) versions.delete(oldest);
  }

  get(uri: string, server: number): number | undefined {
    return this.#documents.get(canonicalUri(uri))?.get(server);
  }
}
