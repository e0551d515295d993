/**
 * Which resources a connection wants to hear of.
 *
 * Invariant: each URI is kept as the client spelled it, since that is the name under which it expects to hear.
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

  /** The subscribed names under which the diagnostics of a file go. */
  forDiagnosticsOf(fileUri: string): readonly string[] {
    const path = filePathOf(fileUri);
    return this.#diagnostics().filter((uri) => {
      const wanted = filePathOf(uri);
      return wanted === undefined || wanted === path;
    });
  }

  /** The files whose diagnostics are asked for by name, and `all` where those of every open document are. */
  watched(): readonly (string | 'all')[] {
    return this.#diagnostics().map((uri) => filePathOf(uri) ?? 'all');
  }

  #diagnostics(): readonly string[] {
    return [...this.#uris].filter((uri) => uri.startsWith(diagnosticsUri));
  }
}
