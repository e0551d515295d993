/**
 * The diagnostics of the open buffers, measured again whenever their text or the disk changes.
 *
 * Invariants: what is published names the version it was measured on, and that was the current one when it was
 * published. The newest text wins: a measurement of an older one is aborted. A change on disk aborts nothing, so that a disk
 * that changes all the time does not keep answers away; another measurement follows. A file without an answer says so; it
 * is never published as clean.
 */
import { Failure, messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import type { Diagnostic } from '../../lsp/diagnostic.ts';
import type { LanguageId } from '../../servers/language.ts';
import { type FileDiagnostics, isProved, type Proof } from '../../servers/proof.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { mayAffectVerdict } from '../future-disk.ts';
import type { EditorEvent, Snapshot } from '../protocol.ts';
import type { CodeAccess } from './code-access.ts';
import type { ServerStates } from './server-states.ts';

type BufferDiagnostics = Snapshot['diagnostics'][number] & { readonly path: WorkspacePath };

/** Keystrokes that follow each other faster than this are measured together. */
const quietMs = 40;

/** How long a server may take; after it the buffers say that there is no answer. */
const measureMs = 60_000;

export class DiagnosticsWatch implements AsyncDisposable {
  readonly #access: CodeAccess;
  readonly #states: ServerStates;
  readonly #publish: (event: EditorEvent) => void;
  readonly #log: Log;
  readonly #known = new Map<WorkspacePath, BufferDiagnostics>();
  readonly #subscriptions: readonly Disposable[];
  readonly #running = new Set<Promise<void>>();
  /** The files that changed since the last measurement began; they are measured first. */
  readonly #first = new Set<WorkspacePath>();
  #round = new AbortController();
  /** The disk changed under the measurement that runs. */
  #isOutdated = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    access: CodeAccess,
    parts: {
      readonly states: ServerStates;
      readonly publish: (event: EditorEvent) => void;
      readonly log: Log;
    },
  ) {
    this.#access = access;
    this.#states = parts.states;
    this.#publish = parts.publish;
    this.#log = parts.log;
    const { buffers, live } = access;
    this.#subscriptions = [
      buffers.changed.subscribe(({ path, kind }) => {
        if (kind === 'closed') this.#known.delete(path);
        else if (kind !== 'state') this.#first.add(path);
        this.remeasure();
      }),
      live.disk.changes.subscribe((events) => this.#diskChanged(events)),
      live.servers.channels.restarted.subscribe(() => this.remeasure()),
    ];
  }

  /** What is known of the buffers as they are now. */
  get current(): readonly BufferDiagnostics[] {
    const { buffers } = this.#access;
    return [...this.#known.values()].filter(({ path, version }) =>
      buffers.all.some((buffer) => buffer.path === path && buffer.version === version),
    );
  }

  /** Measures again soon; a measurement under way is aborted. */
  remeasure(): void {
    this.#access.servers.textChanged();
    this.#round.abort(new DOMException('measured again', 'AbortError'));
    this.#timer ??= setTimeout(() => this.#begin(), quietMs).unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    clearTimeout(this.#timer);
    this.#isOutdated = false;
    this.#round.abort(new DOMException('the editor was closed', 'AbortError'));
    await Promise.all(this.#running);
  }

  #begin(): void {
    this.#timer = undefined;
    this.#isOutdated = false;
    this.#round = new AbortController();
    const { signal } = this.#round;
    const first = new Set(this.#first);
    this.#first.clear();
    for (const [language, paths] of this.#groups()) {
      const ordered = [...paths].sort((a, b) => Number(first.has(b)) - Number(first.has(a)));
      const run = this.#measure(language, ordered, signal)
        .catch((thrown: unknown) => this.#fail(thrown, paths, signal))
        .finally(() => this.#ended(run));
      this.#running.add(run);
    }
  }

  #diskChanged(events: readonly FileEvent[]): void {
    const { buffers, live } = this.#access;
    const open = buffers.all.map(({ path }) => path);
    if (!mayAffectVerdict(live, open, events)) return;
    if (this.#running.size > 0) this.#isOutdated = true;
    else this.remeasure();
  }

  #ended(run: Promise<void>): void {
    this.#running.delete(run);
    if (this.#isOutdated && this.#running.size === 0) this.remeasure();
  }

  /** The open files by the language of their server. */
  #groups(): ReadonlyMap<LanguageId, readonly WorkspacePath[]> {
    const { buffers, live } = this.#access;
    const groups = new Map<LanguageId, WorkspacePath[]>();
    for (const { path, version, readOnly } of buffers.all) {
      if (readOnly !== undefined) continue;
      try {
        const language = live.languageFor(path);
        groups.set(language, [...(groups.get(language) ?? []), path]);
      } catch (thrown) {
        this.#announce({ path, version, proof: 'none', why: messageOf(thrown), items: [] });
      }
    }
    return groups;
  }

  async #measure(language: LanguageId, paths: readonly WorkspacePath[], signal: AbortSignal): Promise<void> {
    const { servers, buffers } = this.#access;
    await this.#states.starting(language, signal);
    const versions = new Map(paths.map((path) => [path, buffers.get(path)?.version]));
    const [first, ...rest] = paths;
    if (first === undefined) return;
    const asked = { language, open: [first], urgency: 'background' } as const;
    await servers.with(asked, signal, async ({ lease, readiness }, joined) => {
      this.#states.answered(language, readiness);
      for (const group of rest.length > 0 ? [[first], rest] : [[first]]) {
        const answers = await lease.diagnostics(group, { timeoutMs: measureMs }, joined);
        for (const answer of answers) await this.#answer(answer, versions.get(answer.path));
      }
    });
  }

  async #answer({ path, diagnostics, proof }: FileDiagnostics, version: number | undefined): Promise<void> {
    const items = await Promise.all(diagnostics.map((diagnostic) => this.#shown(diagnostic)));
    if (version === undefined || this.#access.buffers.get(path)?.version !== version) return;
    const why = reasonOf(proof);
    this.#announce({ path, version, proof: strengthOf(proof), ...(why !== undefined && { why }), items });
  }

  async #shown({
    data: _data,
    related,
    tags,
    ...rest
  }: Diagnostic): Promise<BufferDiagnostics['items'][number]> {
    const { workspace } = this.#access.live;
    const places = related?.map(async ({ uri, range, message }) => ({
      location: await this.#access.location({ uri, path: workspace.fromUri(uri), range }),
      message,
    }));
    return {
      ...rest,
      ...(tags && { tags: [...tags] }),
      ...(places && { related: await Promise.all(places) }),
    };
  }

  /** Publishes what differs from what pages know. */
  #announce(diagnostics: BufferDiagnostics): void {
    const known = this.#known.get(diagnostics.path);
    if (known && JSON.stringify(known) === JSON.stringify(diagnostics)) return;
    this.#known.set(diagnostics.path, diagnostics);
    this.#publish({ kind: 'code.diagnostics', diagnostics });
  }

  /** A measurement that was replaced by a newer one says nothing; any other failure is the answer for its files. */
  #fail(thrown: unknown, paths: readonly WorkspacePath[], signal: AbortSignal): void {
    if (signal.aborted || (thrown instanceof Error && thrown.name === 'AbortError')) return;
    const code = thrown instanceof Failure ? thrown.code : 'editor/not-measured';
    const why = thrown instanceof Failure ? `${thrown.message} ${thrown.remedy}` : messageOf(thrown);
    this.#log.info('editor.not-measured', { code, error: why });
    for (const path of paths) {
      const version = this.#access.buffers.get(path)?.version;
      if (version !== undefined) this.#announce({ path, version, proof: 'none', why, items: [] });
    }
    // A server that crashed is started again by the next request; its crashes are counted and end that.
    if (code === 'lsp/server-crashed') this.remeasure();
  }
}

function strengthOf(proof: Proof): BufferDiagnostics['proof'] {
  if (isProved(proof)) return 'proved';
  return proof.kind === 'quiet' ? 'quiet' : 'none';
}

function reasonOf(proof: Proof): string | undefined {
  if (proof.kind === 'quiet') return `the server was quiet for ${proof.quietMs} ms`;
  if (proof.kind !== 'none') return undefined;
  if (proof.reason === 'failed') return proof.why;
  return proof.reason === 'timeout' ? 'the server did not answer in time' : 'the server refused to answer';
}
