/**
 * The language servers of the open buffers, for the status bar.
 *
 * Invariant: a state is published when it differs from the last one; a server that failed says why.
 */
import { Failure, messageOf } from '../../base/failure.ts';
import type { Readiness } from '../../code/readiness.ts';
import type { LiveWorkspace } from '../../live/live-workspace.ts';
import type { LanguageId } from '../../servers/language.ts';
import type { EditorEvent, Snapshot } from '../protocol.ts';

type ServerState = Snapshot['servers'][number];

export class ServerStates implements Disposable {
  readonly #live: LiveWorkspace;
  readonly #publish: (event: EditorEvent) => void;
  readonly #states = new Map<LanguageId, ServerState>();
  readonly #events: Disposable;

  constructor(live: LiveWorkspace, publish: (event: EditorEvent) => void) {
    this.#live = live;
    this.#publish = publish;
    this.#events = live.servers.channels.events.subscribe(({ kind, server, message }) => {
      for (const [language, state] of this.#states) {
        if (state.name !== server) continue;
        if (kind === 'crashed') this.#set(language, { ...state, state: 'stopped', detail: message });
        else this.#set(language, { name: state.name, language: state.language, state: 'ready' });
      }
    });
  }

  get all(): ServerState[] {
    return [...this.#states.values()];
  }

  /** A server is about to be asked; fails with the reason if there is none. */
  async starting(language: LanguageId, signal: AbortSignal): Promise<void> {
    try {
      const { definition } = await this.#live.servers.locate(language, signal);
      const known = this.#states.get(language);
      if (known?.name === definition.name && known.state !== 'stopped') return;
      this.#set(language, { name: definition.name, language, state: 'starting' });
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      const detail = thrown instanceof Failure ? thrown.remedy : messageOf(thrown);
      this.#set(language, { name: language, language, state: 'missing', detail });
      throw thrown;
    }
  }

  /** A server has been lent. */
  answered(language: LanguageId, readiness: Readiness): void {
    const known = this.#states.get(language);
    if (!known) return;
    const { name } = known;
    if (readiness.kind === 'ready') this.#set(language, { name, language, state: 'ready' });
    else {
      const detail = readiness.work.map(({ title }) => title).join(', ');
      this.#set(language, { name, language, state: 'busy', ...(detail !== '' && { detail }) });
    }
  }

  [Symbol.dispose](): void {
    this.#events[Symbol.dispose]();
  }

  #set(language: LanguageId, state: ServerState): void {
    if (JSON.stringify(this.#states.get(language)) === JSON.stringify(state)) return;
    this.#states.set(language, state);
    this.#publish({ kind: 'code.servers', servers: this.all });
  }
}
