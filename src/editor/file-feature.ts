/**
 * The files of the workspace on the wire: the tree, and what is done to its entries.
 *
 * Invariant: every path is followed through links first, and refused if it leads out of the workspace. Entries change by
 * commits alone.
 */

import type { FileEvent } from '../workspace/file-event.ts';
import { listFiles } from '../workspace/file-walk.ts';
import { IgnoreRules } from '../workspace/ignore-rules.ts';
import { parentOf, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { Buffers } from './buffers.ts';
import type { EditorContext } from './editor-context.ts';
import type { EditorFeature, Handlers } from './editor-feature.ts';
import { bestMatches } from './path-match.ts';
import type { ResultOf } from './protocol.ts';
import { readPart } from './workspace-file.ts';

type FileMethod = 'file.list' | 'file.find' | 'file.read';

export class FileFeature implements EditorFeature<FileMethod> {
  readonly #context: EditorContext;
  readonly #disk: Disposable;
  /** The files of the tree, until something on disk changes. */
  #files: Promise<readonly WorkspacePath[]> | undefined;

  constructor(context: EditorContext, _buffers: Buffers) {
    this.#context = context;
    this.#disk = context.live.disk.changes.subscribe((events) => this.#diskChanged(events));
  }

  readonly handlers: Handlers<FileMethod> = {
    'file.list': async ({ directory }) => this.#list(await this.#path(directory)),
    'file.find': async ({ query, limit }, _source, signal) => {
      const paths = await this.find(query, limit, signal);
      return { paths: [...paths], isComplete: paths.length < limit };
    },
    'file.read': async ({ path, offset, bytes }) =>
      readPart(this.#context.live.workspace, { path: await this.#path(path), offset, bytes }),
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disk[Symbol.dispose]();
  }

  #path(path: string): Promise<WorkspacePath> {
    return this.#context.live.workspace.resolve(path);
  }

  async #list(directory: WorkspacePath): Promise<ResultOf<'file.list'>> {
    const { workspace, disk } = this.#context.live;
    const rules = new IgnoreRules(workspace);
    const entries = await disk.source.list(directory);
    return {
      entries: entries.map(({ name, kind }) => ({
        name,
        kind: kind === 'symlink' ? 'link' : kind,
        isIgnored: kind === 'directory' ? rules.ignoresDirectory(directory, name) : rules.ignoresFile(name),
      })),
    };
  }

  /** Paths that fit a query, best first. */
  async find(query: string, limit: number, signal: AbortSignal): Promise<readonly WorkspacePath[]> {
    this.#files ??= listFiles(this.#context.live.workspace, { rule: 'unignored' }, this.#context.signal);
    const files = await this.#files.catch((thrown: unknown) => {
      this.#files = undefined;
      throw thrown;
    });
    signal.throwIfAborted();
    return bestMatches(files, query, limit);
  }

  #diskChanged(events: readonly FileEvent[]): void {
    if (events.length === 0 || events.some(({ kind }) => kind !== 'changed')) this.#files = undefined;
    const changed = events.filter(({ kind }) => kind !== 'changed').map(({ path }) => parentOf(path));
    const directories = events.length === 0 ? [''] : [...new Set(changed)];
    if (directories.length > 0) this.#context.publish({ kind: 'file.changed', directories });
  }
}
