/** `npm run bench -- editor`: what the person who types waits for. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../src/base/log.ts';
import { Editor } from '../src/editor/editor.ts';
import { EditorServer } from '../src/editor/editor-server.ts';
import type { EditorEvent } from '../src/editor/protocol.ts';
import { Forerun } from '../src/host/forerun.ts';
import { EditorPage, type PageBuffer } from '../test/support/editor-page.ts';
import type { Bench } from './bench.ts';
import { type FoundDependents, pullDependents } from './dependents.ts';
import type { GeneratedWorkspace } from './support/generated-workspace.ts';
import { type Sampler, sampleInTurn, timed } from './support/measurement.ts';
import { RawServer } from './support/raw-server.ts';

/** The pause in typing after which a check begins, and the way to the page and back. */
const pauseMs = 150;

/** A verdict that takes longer is not coming. */
const verdictMs = 120_000;

export const bench: Bench = {
  name: 'editor',
  claim:
    'the verdict of unsaved text follows a pause in typing within the time the raw server needs for the same files',
  goal: { kind: 'within', times: 1.3, plusMs: pauseMs },
  async *run(context, signal) {
    for (const language of ['typescript', 'python'] as const) {
      const workspace = await context.generated(language);
      context.progress(`${language}: warming two servers`);
      await using server = await RawServer.start(workspace, 'pull', signal);
      await server.openWith(workspace.coreChange.path, workspace.coreChange.text);
      await using typed = await TypedEditor.open(workspace, signal);
      const found: FoundDependents = { ours: new Set(), beside: new Set() };
      const mustOpen = language === 'python';
      const { ours, beside } = await sampleInTurn(
        { ours: typed.toVerdict(found), beside: pullDependents(server, workspace, { mustOpen, found }) },
        { warmUp: 3, rounds: language === 'typescript' ? 25 : 9 },
        signal,
      );
      const wanted = workspace.leaves.length;
      const wrong = [...found.ours, ...found.beside].filter((count) => count !== wanted);
      yield {
        kind: 'measured',
        what: `${language}: last key to the verdict of ${wanted} of ${workspace.files} files`,
        ours,
        beside: { what: mustOpen ? 'raw change, open + pull' : 'raw change + pull', measurement: beside },
        note: `found ${[...found.ours].join(', ')} of ${wanted}; ours includes the pause of 120 ms`,
        ...(wrong.length > 0 && { shortfall: `not every answer found all ${wanted}` }),
      };
    }
  },
};

/** An editor on a workspace and a page that types into it over the wire. */
class TypedEditor implements AsyncDisposable {
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

  /** Looks at the events as they come: a clock would be part of what is measured. */
  async #verdict(version: number): Promise<CheckedFuture> {
    const { path } = this.#buffer;
    for (const signal = AbortSignal.timeout(verdictMs); ; signal.throwIfAborted()) {
      const state = this.#page.events.map(futureOf).findLast((each) => each?.versions[path] === version);
      if (state) return state;
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
