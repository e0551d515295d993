/**
 * Which files import libraries that are not installed, cached while that cannot have changed.
 *
 * Invariant: a note is about the file on disk. It is dropped when the file changes; all are dropped when any file is
 * created or deleted or configuration changes, since an import may then resolve differently.
 */

import type { FileDiagnostics } from '../servers/proof.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export class LibraryNotes {
  readonly #answers = new Map<string, FileDiagnostics>();

  get(server: string, path: WorkspacePath): FileDiagnostics | undefined {
    return this.#answers.get(keyOf(server, path));
  }

  keep(server: string, answers: readonly FileDiagnostics[]): void {
    for (const answer of answers) this.#answers.set(keyOf(server, answer.path), answer);
  }

  invalidate(events: readonly FileEvent[]): void {
    const isPlain =
      events.length > 0 && events.every(({ path, kind }) => kind === 'changed' && isSource(path));
    if (!isPlain) {
      this.#answers.clear();
      return;
    }
    const changed = new Set<string>(events.map(({ path }) => path));
    for (const [key, { path }] of this.#answers) if (changed.has(path)) this.#answers.delete(key);
  }
}

function keyOf(server: string, path: WorkspacePath): string {
  return `${server}\0${path}`;
}

function isSource(path: WorkspacePath): boolean {
  return /\.pyi?$/.test(path);
}
