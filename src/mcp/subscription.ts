/**
 * The resources a connection is subscribed to.
 *
 * Invariant: each URI is kept in the client's spelling, which notifications must use.
 */
import { diagnosticsUri, filePathOf } from './resource-uri.ts';

export class Subscriptions {
  readonly #uris = new Set<string>();

  add(uri: string): void {
    this.#uris.add(uri);
  }

  remove(uri: string): void {
    this.#uris.delete(uri);
  }

  has(uri: string): boolean {
    return this.#uris.has(uri);
  }

  /** The subscribed URIs for the diagnostics of a file. */
  forDiagnosticsOf(fileUri: string): readonly string[] {
    const path = filePathOf(fileUri);
    return this.#diagnostics().filter((uri) => {
      const wanted = filePathOf(uri);
      return wanted === undefined || wanted === path;
    });
  }

  /** The files with subscribed diagnostics, and `all` for those of every open document. */
  watched(): readonly (string | 'all')[] {
    return this.#diagnostics().map((uri) => filePathOf(uri) ?? 'all');
  }

  #diagnostics(): readonly string[] {
    return [...this.#uris].filter((uri) => uri.startsWith(diagnosticsUri));
  }
}
