/**
 * The documents that one server has open for a projection.
 *
 * Documents stay open after use, since the next overlay is likely to change the same ones; the least recently used
 * are closed.
 *
 * Invariant: the cache contains exactly the documents that the server has open.
 */
import type { LanguageServer } from '../lsp/language-server.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { headOf } from './c/preamble.ts';
import { documentIdOf, languageOf } from './language.ts';
import type { ServerDefinition } from './server-definition.ts';

/**
 * How many documents stay open while an overlay is shown. Each open document makes every change more expensive for
 * the server.
 */
const keptThroughChange = 16;

/** How many documents stay open while the disk is shown, for the next request about the same symbol. */
const keptAtRest = 288;

export class OpenDocumentCache {
  readonly #server: LanguageServer;
  readonly #definition: ServerDefinition;
  readonly #uri: (path: WorkspacePath) => string;
  /** In order of last use. */
  readonly #open = new Set<WorkspacePath>();
  /** Documents for which the server may have cached something outdated. */
  readonly #outdated = new Set<WorkspacePath>();

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

  #change(path: WorkspacePath, text: string): void {
    const { documents } = this.#server;
    const uri = this.#uri(path);
    const isOutdated = this.#outdated.delete(path) || this.#hasOtherPreamble(uri, text);
    if (isOutdated) documents.reopen(uri, text);
    else documents.change(uri, text);
  }

  #hasOtherPreamble(uri: string, text: string): boolean {
    if (!this.#definition.quirks.keepsPreambles) return false;
    const shown = this.#server.documents.get(uri)?.text ?? '';
    return shown !== text && headOf(shown) !== headOf(text);
  }

  close(path: WorkspacePath): void {
    this.#outdated.delete(path);
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
