/**
 * Notices about the workspaces of one connection: changed diagnostics, servers that became idle, crashed or
 * restarted, files changed on disk.
 *
 * Invariant: no notice is about speculative text; diagnostics are those of the files as plain tools see them, and a
 * notice is sent only if they differ from the last one.
 */
import { Channel } from '../base/channel.ts';
import type { ConnectionWorkspaces } from '../live/connection-workspaces.ts';
import type { WorkspaceView } from '../live/workspace-view.ts';
import type { Diagnostic } from '../lsp/diagnostic.ts';
import type { ServerEvent } from '../servers/pool/server-event.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import { sha256 } from '../storage/hash.ts';

export type Notice =
  | { readonly kind: 'diagnostics'; readonly files: readonly FileNotice[] }
  | { readonly kind: 'server'; readonly event: ServerEvent }
  /** `unknown` if changes were missed. */
  | { readonly kind: 'disk'; readonly changedFiles: number | 'unknown' };

export interface FileNotice {
  readonly uri: string;
  readonly errors: number;
  readonly warnings: number;
  /** Absent in the first notice about a file. */
  readonly errorsBefore?: number;
}

interface Known {
  readonly fingerprint: string;
  readonly errors: number;
}

export class WorkspaceNotices implements Disposable {
  readonly noticed = new Channel<Notice>();
  readonly #known = new Map<string, Known>();
  readonly #subscriptions: Disposable[] = [];

  constructor(workspaces: ConnectionWorkspaces) {
    for (const view of workspaces.all) this.#watch(view);
    this.#subscriptions.push(workspaces.opened.subscribe((view) => this.#watch(view)));
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions.splice(0)) subscription[Symbol.dispose]();
  }

  #watch(view: WorkspaceView): void {
    const { live } = view;
    this.#subscriptions.push(
      view.onDiagnostics((answers) => this.#measured(view, answers)),
      live.servers.channels.events.subscribe((event) => this.noticed.emit({ kind: 'server', event })),
      live.disk.changes.subscribe((events) => {
        this.noticed.emit({ kind: 'disk', changedFiles: events.length > 0 ? events.length : 'unknown' });
      }),
    );
  }

  #measured({ workspace }: WorkspaceView, answers: readonly FileDiagnostics[]): void {
    const files = answers.flatMap(({ path, diagnostics }) =>
      this.#changedNotices(workspace.uri(path), diagnostics),
    );
    if (files.length > 0) this.noticed.emit({ kind: 'diagnostics', files });
  }

  #changedNotices(uri: string, diagnostics: readonly Diagnostic[]): readonly FileNotice[] {
    const before = this.#known.get(uri);
    const fingerprint = sha256(JSON.stringify(diagnostics));
    if (before?.fingerprint === fingerprint) return [];
    const errors = count(diagnostics, 'error');
    this.#known.set(uri, { fingerprint, errors });
    const warnings = count(diagnostics, 'warning');
    return [{ uri, errors, warnings, ...(before && { errorsBefore: before.errors }) }];
  }
}

function count(diagnostics: readonly Diagnostic[], severity: Diagnostic['severity']): number {
  return diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
}
