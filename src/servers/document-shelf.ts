/**
 * The documents one server has open on behalf of a projection.
 *
 * Documents stay open after they were last needed, since the next overlay is likely to touch the same ones;
 * the least recently used are closed.
 *
 * Invariant: what is on the shelf is exactly what the server has open.
 */
import type { LanguageServer } from '../lsp/language-server.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { documentIdOf, languageOf } from './language.ts';
import type { ServerDefinition } from './server-definition.ts';

/** Open documents cost the server a little at every change, so only a handful is kept through one. */
const keptThroughChange = 16;

/** While nothing but the disk is shown, the files that use a name stay open for the next question about it. */
const keptAtRest = 288;

export class DocumentShelf {
  readonly #server: LanguageServer;
  readonly #definition: ServerDefinition;
  readonly #uri: (path: WorkspacePath) => string;
  /** In order of last use. */
  readonly #open = new Set<WorkspacePath>();

  constructor(server: LanguageServer, definition: ServerDefinition, uri: (path: WorkspacePath) => string) {
    this.#server = server;
    this.#definition = definition;
    this.#uri = uri;
  }

  has(path: WorkspacePath): boolean {
    return this.#open.has(path);
  }

  /** Gives the document at `path` this text, opening it if need be. */
  put(path: WorkspacePath, text: string): void {
    if (this.#open.delete(path)) this.#server.documents.change(this.#uri(path), text);
    else this.#server.documents.open(this.#uri(path), this.#documentId(path), text);
    this.#open.add(path);
  }

  close(path: WorkspacePath): void {
    if (this.#open.delete(path)) this.#server.documents.close(this.#uri(path));
  }

  /** Closes what was not used lately, except what is needed now. */
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
