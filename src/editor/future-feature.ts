/**
 * The future on the wire: its verdict, saving with a verdict, and the end of a conflict between a save and the disk.
 *
 * Invariants: a side of a conflict that is not written is stored as a what-if before anything is written or forgotten.
 * What is written replaces exactly the content of the disk that the page has seen.
 */
import { LocalEvaluator } from '../evaluation/local-evaluator.ts';
import { Overlay } from '../overlay/overlay.ts';
import { Baseline } from '../workspace/baseline.ts';
import { hashContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Buffers } from './buffers.ts';
import type { EditPlans } from './edit-plans.ts';
import type { EditorContext } from './editor-context.ts';
import type { EditorFeature, Handlers } from './editor-feature.ts';
import { Future } from './future.ts';
import type { ParamsOf, ResultOf, Snapshot } from './protocol.ts';

type FutureMethod =
  | 'future.check'
  | 'future.enable'
  | 'future.beforeSave'
  | 'future.judge'
  | 'future.judgePlan'
  | 'future.resolve';

export class FutureFeature implements EditorFeature<FutureMethod> {
  readonly future: Future;
  readonly #context: EditorContext;
  readonly #buffers: Buffers;
  readonly #plans: EditPlans;

  constructor(
    context: EditorContext,
    { buffers, plans }: { readonly buffers: Buffers; readonly plans: EditPlans },
  ) {
    const { live, publish, log } = context;
    this.#context = context;
    this.#buffers = buffers;
    this.#plans = plans;
    this.future = new Future({
      live,
      buffers,
      evaluator: new LocalEvaluator(live, log),
      publish: (future) => publish({ kind: 'future.changed', future }),
      log,
    });
  }

  readonly handlers: Handlers<FutureMethod> = {
    'future.check': async () => {
      this.future.check();
      return {};
    },
    'future.enable': async ({ isOn }) => {
      this.future.enable(isOn);
      return {};
    },
    'future.beforeSave': ({ paths }, _source, signal) => this.#beforeSave(paths, signal),
    'future.judge': async ({ path, text }, _source, signal) => {
      const at = await this.#path(path);
      return this.future.evaluate(await this.#written(at, text), signal);
    },
    'future.judgePlan': ({ plan }, _source, signal) =>
      this.future.evaluateLayer(this.#plans.get(plan).edited, signal),
    'future.resolve': (params) => this.#resolve(params),
  };

  snapshot(): Pick<Snapshot, 'future'> {
    const { state, last } = this.future;
    return { future: { state, ...(last && { last }) } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.future[Symbol.asyncDispose]();
  }

  async #beforeSave(named: readonly string[], signal: AbortSignal): Promise<ResultOf<'future.beforeSave'>> {
    const paths = new Set(await Promise.all(named.map((path) => this.#path(path))));
    const unsaved = this.#buffers.all.filter(({ isUnsaved }) => isUnsaved).map(({ path }) => path);
    const isOn = this.future.state.kind !== 'unchecked' && this.future.state.kind !== 'nothing';
    if (!isOn) return {};
    // Files that stay unsaved are no part of what this save does.
    const isAll = unsaved.every((path) => paths.has(path));
    const evaluation = isAll
      ? await this.future.current(signal)
      : await this.future.evaluate(this.#buffers.overlayOf([...paths]), signal);
    return evaluation ? { evaluation } : {};
  }

  async #resolve({
    path: named,
    keep,
    disk,
    text,
    leave,
  }: ParamsOf<'future.resolve'>): Promise<ResultOf<'future.resolve'>> {
    const { live, connection, signal } = this.#context;
    const path = await this.#path(named);
    const buffer = this.#buffers.require(path);
    const found = await live.disk.source.read(path);
    const seen = found?.kind === 'text' ? found.text : undefined;
    if (seen !== disk) {
      await this.#buffers.readDisk([path]);
      return { kind: 'conflict' };
    }
    const mine = buffer.content;
    const whatIfs: string[] = [];
    if (leave.includes('mine')) whatIfs.push(await this.#keep(path, mine, found));
    if (keep === 'disk') {
      await this.#buffers.revert(path);
      return { kind: 'resolved', whatIfs };
    }
    const content: FileContent & { readonly kind: 'text' } =
      keep === 'merge' ? { ...mine, text: text ?? mine.text } : mine;
    const left =
      leave.includes('disk') && found?.kind === 'text' ? await this.#keep(path, found, content) : undefined;
    const outcome = await live.commits.commit(
      overlayOn(live.disk.source, { path, content, over: found }),
      { durability: 'process', onConflict: 'refuse' },
      signal,
    );
    if (outcome.kind === 'conflict') {
      if (left !== undefined) await connection.sessions.destroy(left);
      return { kind: 'conflict' };
    }
    if (keep === 'merge') this.#buffers.edit(path, content.text);
    this.#buffers.saved(path, content);
    return { kind: 'resolved', whatIfs: left === undefined ? whatIfs : [...whatIfs, left] };
  }

  /** Stores a text that is not kept as a what-if of the user. */
  async #keep(
    path: WorkspacePath,
    content: FileContent & { readonly kind: 'text' },
    over: FileContent | undefined,
  ): Promise<string> {
    const { live, connection, signal } = this.#context;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const overlay = overlayOn(new Baseline(live.disk.source), { path, content, over });
    const title = `${name} as it was not saved`;
    const session = await connection.sessions.keep({ live, overlay, author: 'you', title }, signal);
    return session.id;
  }

  /** The workspace with one file written. */
  async #written(path: WorkspacePath, text: string): Promise<Overlay> {
    const empty = this.#context.live.emptyOverlay();
    const before = await empty.read(path);
    return empty.write(path, { ...(before?.kind === 'text' && before), kind: 'text', text });
  }

  #path(path: string): Promise<WorkspacePath> {
    return this.#context.live.workspace.resolve(path);
  }
}

interface WrittenFile {
  readonly path: WorkspacePath;
  readonly content: FileContent;
  /** The content of the disk that it replaces. */
  readonly over: FileContent | undefined;
}

function overlayOn(base: Overlay['base'], { path, content, over }: WrittenFile): Overlay {
  const madeOn = new Map([[path, hashContent(over)]]);
  return Overlay.on(base, { layer: new Map([[path, content]]), madeOn });
}
