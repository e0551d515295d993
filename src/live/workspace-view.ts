/**
 * The workspace as one caller sees it: an open root and an overlay on its disk.
 *
 * Invariants: a view is a value. No method changes one, so two callers never see each other's text. A server leased
 * through a view shows exactly the overlay of that view.
 */
import { Channel } from '../base/channel.ts';
import { Overlay } from '../overlay/overlay.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Lease } from '../servers/lease.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { LiveWorkspace } from './live-workspace.ts';

/** Receives the diagnostics of unsaved text: the connection that the text belongs to. */
export type DiagnosticsChannel = Channel<readonly FileDiagnostics[]>;

export class WorkspaceView {
  readonly live: LiveWorkspace;
  readonly workspace: Workspace;
  readonly overlay: Overlay;
  readonly #owner: DiagnosticsChannel | undefined;

  private constructor(live: LiveWorkspace, overlay: Overlay, owner: DiagnosticsChannel | undefined) {
    this.live = live;
    this.workspace = live.workspace;
    this.overlay = overlay;
    this.#owner = owner;
  }

  /** The disk without changes. Diagnostics of text that a connection adds by `with` are published on its `owner`. */
  static ofDisk(live: LiveWorkspace, owner: DiagnosticsChannel = new Channel()): WorkspaceView {
    return new WorkspaceView(live, Overlay.on(live.disk.source), owner);
  }

  /** The same connection's view with another overlay: its unsaved buffers, or the turn of its agent. */
  with(overlay: Overlay): WorkspaceView {
    return new WorkspaceView(this.live, overlay, this.#owner);
  }

  /** A speculative view. Its diagnostics are published to no connection. */
  fork(overlay: Overlay): WorkspaceView {
    return new WorkspaceView(this.live, overlay, undefined);
  }

  /** The language by which a file is routed to its server. */
  languageFor(path: WorkspacePath): LanguageId {
    return this.live.languageFor(path);
  }

  /** A server that shows exactly this view. */
  async lease(language: LanguageId, signal: AbortSignal): Promise<Lease> {
    const plan = await this.live.servers.planProjection(this.overlay, { language }, signal);
    const { servers } = this.live;
    if (!this.#owner) return servers.lease(plan, signal);
    // Diagnostics of unsaved text concern the connection it belongs to; those of the disk concern every connection.
    const channel = plan.effect.size > 0 ? this.#owner : servers.channels.diskDiagnostics;
    return servers.leasePublished(plan, channel, signal);
  }

  /** Diagnostics of the disk and of this connection's unsaved text, as they are measured; never speculative ones. */
  onDiagnostics(listener: (answers: readonly FileDiagnostics[]) => void): Disposable {
    const channels = [this.live.servers.channels.diskDiagnostics, ...(this.#owner ? [this.#owner] : [])];
    const subscriptions = channels.map((channel) => channel.subscribe(listener));
    return {
      [Symbol.dispose]: () => {
        for (const subscription of subscriptions) subscription[Symbol.dispose]();
      },
    };
  }
}
