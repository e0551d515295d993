/**
 * Trust in the workspace, as one feature of the editor.
 *
 * Invariants: trust is granted by a request of a page alone, which only a click of the user makes; the agent has no tool for
 * it. What is published is what the trust store says, also when another process changed it.
 */
import { trustStore } from '../host/user-trust.ts';
import type { EditorContext } from './editor-context.ts';
import type { EditorFeature, Handlers } from './editor-feature.ts';
import type { EventLog } from './event-log.ts';
import type { Future } from './future.ts';
import type { TrustState } from './protocol/trust.ts';
import type { Snapshot } from './protocol.ts';

/** What trust needs of the other features. */
export interface TrustParts {
  readonly future: Future;
  readonly events: EventLog;
}

export class TrustFeature implements EditorFeature<'trust.grant'> {
  readonly #context: EditorContext;
  readonly #future: Future;
  readonly #events: Disposable;
  #known: TrustState;

  constructor(context: EditorContext, { future, events }: TrustParts) {
    this.#context = context;
    this.#future = future;
    this.#known = this.#state;
    // What a workspace offers in place of a server is found when the server is.
    this.#events = events.published.subscribe(({ event }) => {
      if (event.kind === 'code.servers') this.#look();
    });
  }

  readonly handlers: Handlers<'trust.grant'> = {
    'trust.grant': async () => {
      const { forerun, live, log } = this.#context;
      trustStore({ env: forerun.env, log }).trust(live.workspace.root);
      await live.servers.restart(undefined);
      this.#look();
      this.#future.check();
      return {};
    },
  };

  snapshot(): Pick<Snapshot, 'trust'> {
    return { trust: this.#state };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#events[Symbol.dispose]();
  }

  get #state(): TrustState {
    const { live } = this.#context;
    const withheld = live.servers.withheld.map(({ path }) => live.workspace.path(path));
    return { isTrusted: live.trust === 'trusted', withheld: [...new Set<string>(withheld)].sort() };
  }

  #look(): void {
    const state = this.#state;
    if (JSON.stringify(state) === JSON.stringify(this.#known)) return;
    this.#known = state;
    this.#context.publish({ kind: 'trust.changed', trust: state });
  }
}
