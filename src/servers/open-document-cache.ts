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
import { headOf } from './c/preamble.ts';
import { documentIdOf, languageOf } from './language.ts';
import type { ServerDefinition } from './server-definition.ts';

/** Open documents cost the server a little at every change, so only a handful is kept through one. */
const keptThroughChange = 16;

/** While nothing but the disk is shown, the files that use a name stay open for the next question about it. */
const keptAtRest = 288;

export class OpenDocumentCache {
  readonly #server: LanguageServer;
  readonly #definition: ServerDefinition;
  readonly #uri: (path: WorkspacePath) => string;
  /** In order of last use. */
  readonly #open = new Set<WorkspacePath>();
  /** Documents of which the server may keep something that no longer holds. */
  readonly #outdated = new Set<WorkspacePath>();

  constructor(server: LanguageServer, definition: ServerDefinition, uri: (path: WorkspacePath) => string) {
    this.#server = server;
    this.#definition = definition;
    this.#uri = uri;
  }

  has(path: WorkspacePath): boolean {
    return this.#open.has(path);
  }

  /** Takes note that files changed which open documents may include. */
  outdate(): void {
    if (this.#definition.quirks.keepsPreambles) for (const path of this.#open) this.#outdated.add(path);
  }

  /** Gives the document at `path` this text, opening it if need be. */
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
