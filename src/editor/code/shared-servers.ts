/**
 * How the features of the editor ask language servers: about the text that the buffers show at this moment.
 *
 * Invariants: a lease shows the buffers of one generation, and requests about that generation share it, so that a hover
 * does not wait for diagnostics. A request about newer text gets a newer lease; background work of an older one is aborted
 * for it, answers that a person waits for are not.
 */
import { abortable } from '../../base/deadline.ts';
import { WorkspaceDependents } from '../../code/dependents.ts';
import { type ReadinessQuery, readiness } from '../../code/readiness.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import type { LanguageId } from '../../servers/language.ts';
import type { Lease } from '../../servers/lease.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Buffers } from '../buffers.ts';

/** `background` work is aborted when the text changes; an `answer` is finished. */
export type Urgency = 'background' | 'answer';

export interface CodeQuery extends ReadinessQuery {
  readonly dependents: WorkspaceDependents;
  readonly view: WorkspaceView;
}

interface SharedLease {
  readonly generation: number;
  readonly view: WorkspaceView;
  readonly lease: Promise<Lease>;
  readonly background: AbortController;
  users: number;
}

export class SharedServers implements AsyncDisposable {
  readonly #buffers: Buffers;
  readonly #signal: AbortSignal;
  readonly #shared = new Map<LanguageId, SharedLease>();
  readonly #releasing = new Set<Promise<void>>();

  /** The signal aborts when the editor is closed. */
  constructor(buffers: Buffers, signal: AbortSignal) {
    this.#buffers = buffers;
    this.#signal = signal;
  }

  /** Asks the server of a file, with the file open in it. */
  inFile<T>(
    path: WorkspacePath,
    urgency: Urgency,
    signal: AbortSignal,
    work: (query: CodeQuery, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const language = this.#buffers.view().languageFor(path);
    return this.with({ language, open: [path], urgency }, signal, work);
  }

  async with<T>(
    asked: {
      readonly language: LanguageId;
      readonly open: readonly WorkspacePath[];
      readonly urgency: Urgency;
    },
    signal: AbortSignal,
    work: (query: CodeQuery, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { language, open, urgency } = asked;
    const shared = this.#enter(language);
    const ends = urgency === 'background' ? [signal, shared.background.signal] : [signal];
    const joined = AbortSignal.any([...ends, this.#signal]);
    try {
      const lease = await abortable(shared.lease, joined);
      const { view } = shared;
      await lease.open(open);
      const query = {
        lease,
        workspace: view.workspace,
        view,
        dependents: new WorkspaceDependents(view, language),
      };
      const state = await readiness(query, { timeoutMs: view.live.servers.readyTimeoutMs }, joined);
      return await work({ ...query, readiness: state }, joined);
    } finally {
      this.#leave(language, shared);
    }
  }

  /** Aborts background work about text that is no longer current. */
  textChanged(): void {
    for (const shared of this.#shared.values()) {
      if (shared.generation !== this.#buffers.generation) {
        shared.background.abort(new DOMException('the text changed', 'AbortError'));
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#releasing);
  }

  #enter(language: LanguageId): SharedLease {
    const known = this.#shared.get(language);
    const { generation } = this.#buffers;
    if (known && known.generation === generation) {
      known.users += 1;
      return known;
    }
    known?.background.abort(new DOMException('the text changed', 'AbortError'));
    const view = this.#buffers.view();
    const lease = view.lease(language, this.#signal);
    // A failure reaches every user of the lease; without one it would be reported as unhandled.
    lease.catch(() => undefined);
    const shared = { generation, view, lease, background: new AbortController(), users: 1 };
    this.#shared.set(language, shared);
    return shared;
  }

  #leave(language: LanguageId, shared: SharedLease): void {
    shared.users -= 1;
    if (shared.users > 0) return;
    if (this.#shared.get(language) === shared) this.#shared.delete(language);
    const releasing = shared.lease
      .then((lease) => lease[Symbol.asyncDispose]())
      .catch(() => undefined)
      .finally(() => this.#releasing.delete(releasing));
    this.#releasing.add(releasing);
  }
}
