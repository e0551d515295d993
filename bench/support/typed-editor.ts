/**
 * An editor on a workspace and a page that types into it over the wire.
 *
 * Invariant: disposing it ends the editor and its servers; the workspace is not written to.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import { Editor } from '../../src/editor/editor.ts';
import { EditorServer } from '../../src/editor/editor-server.ts';
import type { EditorEvent } from '../../src/editor/protocol.ts';
import { Forerun } from '../../src/host/forerun.ts';
import { EditorPage, type PageBuffer } from '../../test/support/editor-page.ts';
import type { FoundDependents } from '../dependents.ts';
import type { GeneratedWorkspace } from './generated-workspace.ts';
import { type Sampler, timed } from './measurement.ts';
import type { SampleEdit } from './sample-edit.ts';

/** An answer that takes longer is not coming. */
const answerMs = 120_000;

export class TypedEditor implements AsyncDisposable {
  readonly #workspace: GeneratedWorkspace;
  readonly #page: EditorPage;
  readonly #buffer: PageBuffer;
  readonly #end: () => Promise<void>;

  private constructor(
    workspace: GeneratedWorkspace,
    page: EditorPage,
    buffer: PageBuffer,
    end: () => Promise<void>,
  ) {
    this.#workspace = workspace;
    this.#page = page;
    this.#buffer = buffer;
    this.#end = end;
  }

  static async open(workspace: GeneratedWorkspace, signal: AbortSignal): Promise<TypedEditor> {
    const home = await realpath(await mkdtemp(join(tmpdir(), 'forerun-bench-editor-')));
    const env = { ...process.env, FORERUN_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home };
    const forerun = new Forerun({
      definitions: 'detect',
      log: silentLog,
      env,
      daemon: 'off',
      trust: [workspace.root],
    });
    const editor = await Editor.open(forerun, { directory: workspace.root, log: silentLog }, signal);
    const server = await EditorServer.start(editor, { port: 0, webDirectory: home, log: silentLog }, signal);
    const page = await EditorPage.open(server.url, {});
    const buffer = await page.open(workspace.coreChange.path);
    return new TypedEditor(workspace, page, buffer, async () => {
      page[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
      await editor[Symbol.asyncDispose]();
      await forerun[Symbol.asyncDispose]();
      await rm(home, { recursive: true, force: true });
    });
  }

  /** From the last key to the verdict of the text it made. */
  toVerdict(found: FoundDependents): Sampler {
    const { coreChange, leaves } = this.#workspace;
    const wanted = new Set(leaves);
    return async (round) => {
      const replacement = coreChange.replacement(round);
      let broken = 0;
      const elapsedMs = await timed(async () => {
        await this.#buffer.replace(coreChange.replaces, replacement);
        const { evaluation } = await this.#verdict(this.#buffer.version);
        broken = new Set(evaluation.introduced.map(({ path }) => path).filter((path) => wanted.has(path)))
          .size;
      });
      found.ours.add(broken);
      await this.#buffer.replace(replacement, coreChange.replaces);
      this.#page.events.length = 0;
      return elapsedMs;
    };
  }

  /** From the last key to the diagnostics of the text it made; `counts` gets how many errors there were. */
  async toDiagnostics(edit: SampleEdit, counts: Set<number>): Promise<Sampler> {
    const buffer = await this.#page.open(edit.path);
    return async (round) => {
      const replacement = edit.replacement(round);
      const elapsedMs = await timed(async () => {
        await buffer.replace(edit.replaces, replacement);
        const { diagnostics } = await this.#event((event) =>
          event.kind === 'code.diagnostics' &&
          event.diagnostics.path === buffer.path &&
          event.diagnostics.version === buffer.version
            ? event
            : undefined,
        );
        counts.add(diagnostics.items.filter(({ severity }) => severity === 'error').length);
      });
      await buffer.replace(replacement, edit.replaces);
      this.#page.events.length = 0;
      return elapsedMs;
    };
  }

  #verdict(version: number): Promise<CheckedFuture> {
    const { path } = this.#buffer;
    return this.#event((event) => {
      const future = futureOf(event);
      return future?.versions[path] === version ? future : undefined;
    });
  }

  /** Looks at the events as they come: a clock would be part of what is measured. */
  async #event<T>(find: (event: EditorEvent) => T | undefined): Promise<T> {
    for (const signal = AbortSignal.timeout(answerMs); ; signal.throwIfAborted()) {
      const found = this.#page.events.map(find).findLast((each) => each !== undefined);
      if (found !== undefined) return found;
      await new Promise((next) => setTimeout(next, 1));
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end();
  }
}

type FutureEvent = Extract<EditorEvent, { readonly kind: 'future.changed' }>;
type CheckedFuture = Extract<FutureEvent['future'], { readonly kind: 'checked' }>;

function futureOf(event: EditorEvent): CheckedFuture | undefined {
  return event.kind === 'future.changed' && event.future.kind === 'checked' ? event.future : undefined;
}
