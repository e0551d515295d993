/**
 * The files of the workspace on the wire: the tree, and what is done to its entries.
 *
 * Invariant: every path is followed through links first, and refused if it leads out of the workspace. Entries change by
 * commits alone.
 */

import { messageOf } from '../base/failure.ts';
import { fileRenameEdit } from '../code/file-rename.ts';
import { moveFile, Overlay } from '../overlay/overlay.ts';
import { FileExists, NoSuchFile } from '../overlay/overlay-failure.ts';
import { applyWorkspaceEdit } from '../overlay/workspace-edit.ts';
import { NoServerForFile } from '../servers/server-register.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import { existsIn } from '../workspace/file-source.ts';
import { listFiles } from '../workspace/file-walk.ts';
import { filesBelow } from '../workspace/files-below.ts';
import { IgnoreRules } from '../workspace/ignore-rules.ts';
import { transactionName, versionControlNames } from '../workspace/known-directory.ts';
import { isBelow, moveBelow, parentOf, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { Buffers } from './buffers.ts';
import type { SharedServers } from './code/shared-servers.ts';
import type { EditApplier } from './edit-applier.ts';
import type { EditorContext } from './editor-context.ts';
import type { EditorFeature, Handlers } from './editor-feature.ts';
import { bestMatches } from './path-match.ts';
import { PendingDirectories } from './pending-directories.ts';
import type { ResultOf } from './protocol.ts';
import { readPart } from './workspace-file.ts';

type FileMethod = 'file.list' | 'file.find' | 'file.read' | 'file.create' | 'file.rename' | 'file.delete';

/** What file operations need of the other features. */
export interface FileParts {
  readonly buffers: Buffers;
  readonly applier: EditApplier;
  readonly servers: SharedServers;
}

/** How long a server may take to say which imports change with a name; after it the file is renamed alone. */
const importsMs = 10_000;

/** The state of version control and of a commit, which no tree shows. */
const unlisted: ReadonlySet<string> = new Set([...versionControlNames, transactionName]);

export class FileFeature implements EditorFeature<FileMethod> {
  readonly #context: EditorContext;
  readonly #parts: FileParts;
  readonly #disk: Disposable;
  /** The files of the tree, until something on disk changes. */
  #files: Promise<readonly WorkspacePath[]> | undefined;
  readonly #pending = new PendingDirectories();

  constructor(context: EditorContext, parts: FileParts) {
    this.#context = context;
    this.#parts = parts;
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
    'file.create': ({ path, kind }) => this.#create(path, kind),
    'file.rename': ({ from, to }, _source, signal) => this.#rename(from, to, signal),
    'file.delete': ({ path }) => this.#delete(path),
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disk[Symbol.dispose]();
  }

  #path(path: string): Promise<WorkspacePath> {
    return this.#context.live.workspace.resolve(path);
  }

  /** The entry itself, where a path ends in a link. */
  #entry(path: string): Promise<WorkspacePath> {
    return this.#context.live.workspace.resolveEntry(path);
  }

  /** As in git, a directory exists with its first file: until then a new one is pending. */
  async #create(named: string, kind: 'file' | 'directory'): Promise<ResultOf<'file.create'>> {
    const entry = await this.#entry(named);
    const view = Overlay.on(this.#parts.buffers.overlay());
    if ((await existsIn(view, entry)) || (kind === 'directory' && this.#pending.has(entry)))
      throw new FileExists(entry);
    if (kind === 'file') return this.#apply(view.write(entry, { kind: 'text', text: '' }));
    this.#pending.add(entry);
    this.#pendingChanged(entry);
    return { paths: [] };
  }

  async #delete(named: string): Promise<ResultOf<'file.delete'>> {
    const path = await this.#entry(named);
    const { buffers } = this.#parts;
    if (this.#pending.has(path) && !(await existsIn(buffers.overlay(), path))) {
      this.#pending.remove(path);
      this.#pendingChanged(path);
      return { paths: [] };
    }
    const view = Overlay.on(buffers.overlay());
    if (!(await existsIn(view, path))) throw new NoSuchFile(path);
    const paths = [...(await this.#apply(view.remove(path))).paths];
    for (const { path: open } of buffers.all) if (open === path || isBelow(open, path)) buffers.forget(open);
    return { paths };
  }

  async #rename(named: string, target: string, signal: AbortSignal): Promise<ResultOf<'file.rename'>> {
    const [from, to] = [await this.#entry(named), await this.#entry(target)];
    const { buffers } = this.#parts;
    if (await existsIn(buffers.overlay(), to)) throw new FileExists(to);
    if (this.#pending.has(from) && !(await existsIn(buffers.overlay(), from))) {
      this.#pending.move(from, to);
      this.#pendingChanged(from, to);
      return { paths: [] };
    }
    const edited = await this.#withImports(from, to, signal);
    return this.#apply(await moveFile(edited, from, to));
  }

  /** The view with the imports that lead to the file at its new name. */
  async #withImports(from: WorkspacePath, to: WorkspacePath, signal: AbortSignal): Promise<Overlay> {
    const { buffers, servers } = this.#parts;
    const { live, log } = this.#context;
    const view = buffers.view();
    const below = await filesBelow(view.overlay, from);
    const files = below.length === 0 ? [from] : below;
    let edited = Overlay.on(view.overlay);
    const byLanguage = groupedByLanguage(files, (path) => live.servers.register.languageFor(path));
    for (const [language, paths] of byLanguage) {
      const moves = paths.map((path) => ({ from: path, to: moveBelow(path, from, to) }));
      const asked = { language, open: paths.slice(0, 1), urgency: 'answer' } as const;
      const limited = AbortSignal.any([signal, AbortSignal.timeout(importsMs)]);
      try {
        const edit = await servers.with(asked, limited, (query, joined) =>
          fileRenameEdit(query, moves, joined),
        );
        if (edit) edited = await applyWorkspaceEdit(live.workspace, edited, edit);
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        log.info('editor.imports-not-updated', {
          code: 'editor/imports-not-updated',
          error: messageOf(thrown),
        });
      }
    }
    return edited;
  }

  async #apply(edited: Overlay): Promise<{ paths: WorkspacePath[] }> {
    const { applier } = this.#parts;
    return { paths: [...(await applier.apply(await applier.workOut(edited)))] };
  }

  async #list(directory: WorkspacePath): Promise<ResultOf<'file.list'>> {
    const { workspace, disk } = this.#context.live;
    const rules = new IgnoreRules(workspace);
    const entries = (await disk.source.list(directory)).filter(({ name }) => !unlisted.has(name));
    const names = new Set(entries.map(({ name }) => name));
    const pending = this.#pending.in(directory).filter((name) => !names.has(name));
    const isIgnored = (name: string, kind: string): boolean =>
      kind === 'directory' ? rules.ignoresDirectory(directory, name) : rules.ignoresFile(name);
    return {
      entries: [
        ...entries.map(({ name, kind }) => ({
          name,
          kind: kind === 'symlink' ? ('link' as const) : kind,
          isIgnored: isIgnored(name, kind),
        })),
        ...pending.map((name) => ({
          name,
          kind: 'directory' as const,
          isIgnored: isIgnored(name, 'directory'),
          isPending: true,
        })),
      ],
    };
  }

  /** Pages read the directories above again. */
  #pendingChanged(...paths: readonly WorkspacePath[]): void {
    const above = paths.flatMap((path) => {
      const parts = path.split('/').slice(0, -1);
      return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
    });
    this.#context.publish({ kind: 'file.changed', directories: [...new Set(above)] });
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
    const created = events.filter(({ kind }) => kind === 'created').map(({ path }) => path);
    const filled = this.#pending.appeared(created);
    if (filled.length > 0) this.#pendingChanged(...filled);
    const changed = events.filter(({ kind }) => kind !== 'changed').map(({ path }) => parentOf(path));
    const directories = events.length === 0 ? [''] : [...new Set(changed)];
    if (directories.length > 0) this.#context.publish({ kind: 'file.changed', directories });
  }
}

/** Files of no known language are in none of the groups. */
function groupedByLanguage<Language>(
  paths: readonly WorkspacePath[],
  languageFor: (path: WorkspacePath) => Language,
): ReadonlyMap<Language, readonly WorkspacePath[]> {
  const groups = new Map<Language, WorkspacePath[]>();
  for (const path of paths) {
    try {
      const language = languageFor(path);
      groups.set(language, [...(groups.get(language) ?? []), path]);
    } catch (thrown) {
      if (!(thrown instanceof NoServerForFile)) throw thrown;
    }
  }
  return groups;
}
