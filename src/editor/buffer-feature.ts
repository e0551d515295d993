/**
 * The buffers on the wire: opening, typing, saving.
 *
 * Invariants: a push takes effect before the next message of its page is read. A save is a commit of the named buffers
 * alone; it writes all of them or none, and never over a content of the disk that they were not made on, unless that is
 * asked for. Saving goes on when the page that asked for it is closed.
 */
import { ChangeSet } from '@codemirror/state';
import { failureLogger } from '../base/log.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { BufferUpdate, EditorBuffer } from './buffer.ts';
import { type Buffers, wireUpdate } from './buffers.ts';
import type { EditApplier } from './edit-applier.ts';
import type { EditorContext } from './editor-context.ts';
import { InvalidUpdate } from './editor-failure.ts';
import type { EditorFeature, Handlers } from './editor-feature.ts';
import type { ParamsOf, ResultOf, Snapshot } from './protocol.ts';
import { readWorkspaceFile } from './workspace-file.ts';

type BufferMethod =
  | 'buffer.open'
  | 'buffer.close'
  | 'buffer.push'
  | 'buffer.pull'
  | 'buffer.focus'
  | 'buffer.save'
  | 'buffer.sides'
  | 'buffer.revert';

/** Where the user of a page is. */
export interface Focus {
  readonly path: WorkspacePath;
  readonly anchor: number | undefined;
  readonly head: number | undefined;
}

export class BufferFeature implements EditorFeature<BufferMethod> {
  readonly #context: EditorContext;
  readonly #buffers: Buffers;
  readonly #applier: EditApplier;
  readonly #focus = new Map<string, Focus>();
  readonly #disk: Disposable;
  #reading: Promise<void> = Promise.resolve();

  constructor(context: EditorContext, buffers: Buffers, applier: EditApplier) {
    this.#context = context;
    this.#buffers = buffers;
    this.#applier = applier;
    this.#disk = context.live.disk.changes.subscribe((events) => this.#diskChanged(events));
  }

  readonly handlers: Handlers<BufferMethod> = {
    'buffer.open': ({ path, as }, { page }) => this.#open(path, as, page),
    'buffer.close': async ({ path }, { page }) => {
      this.#buffers.leave(await this.#path(path), page);
      return {};
    },
    'buffer.push': (params) => this.#push(params),
    'buffer.pull': async ({ path, version }) => this.#pull(await this.#path(path), version),
    'buffer.focus': async ({ path, anchor, head }, { page }) => {
      if (path === undefined) this.#focus.delete(page);
      else {
        // The page that was used last comes last.
        this.#focus.delete(page);
        this.#focus.set(page, { path: await this.#path(path), anchor, head });
      }
      return {};
    },
    'buffer.save': ({ paths, onConflict }) => this.#save(paths, onConflict),
    'buffer.sides': async ({ path }) => this.#sides(await this.#path(path)),
    'buffer.revert': async ({ path }) => {
      await this.#buffers.revert(await this.#path(path));
      return {};
    },
  };

  /** The focus of the page that was used last, while its buffer is open. */
  get focus(): Focus | undefined {
    return [...this.#focus.values()].findLast(({ path }) => this.#buffers.get(path) !== undefined);
  }

  snapshot(): Pick<Snapshot, 'buffers'> {
    return { buffers: this.#buffers.all.map((buffer) => this.#buffers.stateOf(buffer)) };
  }

  pageClosed(page: string): void {
    this.#focus.delete(page);
    for (const { path } of this.#buffers.all) this.#buffers.leave(path, page);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disk[Symbol.dispose]();
    await this.#reading;
  }

  /** The one true name of a file; fails if it leads out of the workspace. */
  #path(path: string): Promise<WorkspacePath> {
    return this.#context.live.workspace.resolve(path);
  }

  async #open(
    named: string,
    as: ParamsOf<'buffer.open'>['as'],
    page: string,
  ): Promise<ResultOf<'buffer.open'>> {
    const { workspace, disk } = this.#context.live;
    const path = await this.#path(named);
    const known = this.#buffers.get(path);
    if (known) return this.#shown(known, page);
    const file = await readWorkspaceFile({ workspace, source: disk.source }, path);
    if (file.kind === 'text') return this.#shown(this.#buffers.open(path, file.content), page);
    if (file.kind === 'large' || as === 'detected') return file;
    const content = await disk.source.read(path);
    if (content?.kind !== 'binary') return file;
    const text = Buffer.from(content.bytes).toString('utf8');
    const shown = { kind: 'text', text } as const;
    return this.#shown(this.#buffers.open(path, shown, { readOnly: 'it is not text' }), page);
  }

  #shown(buffer: EditorBuffer, page: string): ResultOf<'buffer.open'> {
    buffer.pages.add(page);
    return { kind: 'text', state: this.#buffers.stateOf(buffer), text: buffer.text.toString() };
  }

  /** Does not wait before the change is made: the messages that follow are about the text after it. */
  async #push({ path, version, updates }: ParamsOf<'buffer.push'>): Promise<ResultOf<'buffer.push'>> {
    const buffer = this.#buffers.require(this.#context.live.workspace.path(path));
    const changes = updates.map(
      ({ client, changes: json }): BufferUpdate => ({ client, changes: read(path, json) }),
    );
    return { kind: this.#buffers.push(buffer.path, version, changes), version: buffer.version };
  }

  #pull(path: WorkspacePath, version: number): ResultOf<'buffer.pull'> {
    const buffer = this.#buffers.require(path);
    const missed = buffer.since(version);
    if (missed) return { version: buffer.version, updates: missed.map(wireUpdate) };
    return { version: buffer.version, updates: [], text: buffer.text.toString() };
  }

  async #save(
    named: readonly string[],
    onConflict: ParamsOf<'buffer.save'>['onConflict'],
  ): Promise<ResultOf<'buffer.save'>> {
    const { live, signal } = this.#context;
    const paths = await Promise.all(named.map((path) => this.#path(path)));
    const texts = paths.map((path) => ({ path, content: this.#buffers.require(path).content }));
    const overlay = this.#buffers.overlayOf(paths);
    const outcome = await live.commits.commit(overlay, { durability: 'process', onConflict }, signal);
    if (outcome.kind === 'conflict') {
      await this.#buffers.readDisk(outcome.paths);
      return { kind: 'conflict', paths: [...outcome.paths] };
    }
    for (const { path, content } of texts) this.#buffers.saved(path, content);
    return { kind: 'saved', paths };
  }

  #sides(path: WorkspacePath): ResultOf<'buffer.sides'> {
    const { content, disk, base } = this.#buffers.require(path);
    return {
      mine: content.text,
      ...(typeof disk === 'object' && { disk: disk.text }),
      base: base.text,
    };
  }

  get #openPaths(): readonly WorkspacePath[] {
    return this.#buffers.all.map(({ path }) => path);
  }

  #diskChanged(events: readonly FileEvent[]): void {
    const { signal } = this.#context;
    const touched = events.map(({ path }) => path);
    this.#reading = this.#reading
      // An edit that is being applied gives buffers the names that the disk has already.
      .then(() => this.#applier.idle(signal))
      // An empty report says that changes were missed.
      .then(() => this.#buffers.readDisk(events.length === 0 ? this.#openPaths : touched))
      .catch(failureLogger(this.#context.log, 'editor.disk-unread'));
  }
}

function read(path: string, json: unknown): ChangeSet {
  try {
    return ChangeSet.fromJSON(json);
  } catch (cause) {
    throw new InvalidUpdate(path, cause instanceof Error ? cause.message : 'it cannot be read');
  }
}
