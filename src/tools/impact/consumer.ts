/**
 * Opens files of other repositories that use a symbol of this workspace, so that the server can find the uses.
 *
 * Invariant: a document opened here is closed before the server is released.
 */
import { readFile } from 'node:fs/promises';
import { spellingsIn } from '../../code/spelling.ts';
import { serves } from '../../servers/file-relevance.ts';
import { documentIdOf, languageOf } from '../../servers/language.ts';
import type { Lease } from '../../servers/lease.ts';
import type { ServerDefinition } from '../../servers/server-definition.ts';
import { mapConcurrently } from '../../workspace/concurrency.ts';
import { listFiles } from '../../workspace/file-walk.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** A consumer, named as in the call. */
export interface Consumer {
  readonly named: string;
  readonly workspace: Workspace;
}

/** With more files, indexing would take too long for a call. */
const maximumOpened = 256;

export class ConsumerDocuments implements Disposable {
  readonly #lease: Lease;
  readonly #opened: string[] = [];
  /** The number of files that may use the name and were not opened. */
  #leftOut = 0;

  constructor(lease: Lease) {
    this.#lease = lease;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  /** Opens every file of a consumer that may mention a name. */
  async open(
    { workspace }: Consumer,
    { name, definition }: { readonly name: string; readonly definition: ServerDefinition },
    signal: AbortSignal,
  ): Promise<void> {
    const files = await listFiles(workspace, { matches: (each) => serves(definition, each) }, signal);
    const texts = await mapConcurrently(files, 16, (path) => readFile(workspace.absolute(path), 'utf8'));
    const byPath = new Map(files.map((path, at) => [path, texts[at] ?? '']));
    const { documents } = this.#lease.server;
    for (const path of spellingsIn(byPath, name)) {
      const uri = workspace.uri(path);
      if (documents.get(uri)) continue;
      if (this.#opened.length >= maximumOpened) this.#leftOut += 1;
      else {
        const language = languageOf(path);
        const id = language === undefined ? 'plaintext' : documentIdOf(path, language);
        documents.open(uri, id, byPath.get(path) ?? '');
        this.#opened.push(uri);
      }
    }
  }

  [Symbol.dispose](): void {
    if (!this.#lease.server.isRunning) return;
    for (const uri of this.#opened) this.#lease.server.documents.close(uri);
  }
}

/** The innermost root that contains a file; undefined if none does. */
export function consumerOf(consumers: readonly Consumer[], uri: string): Consumer | undefined {
  const holders = consumers.filter(({ workspace }) => workspace.fromUri(uri) !== undefined);
  return holders.sort((a, b) => b.workspace.root.length - a.workspace.root.length)[0];
}
